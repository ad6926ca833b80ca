import { appendFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { listProcesses } from '../../runner/process/process-table.ts';
import { readArgv } from '../support/read-argv.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { findInFiles } from '../faults/canary-search.ts';
import { say, takeOverByHand, terminalEnvironment } from '../e2e/hands.ts';
import { responsesBillOf } from '../support/model-api/responses.ts';
import { runs, says } from '../support/model-api/script.ts';

/** The real codex in its own terminal, on a thread that the product began and goes on with. */
let world: CodexWorld;
afterEach(() => world?.stop());

const CANARY = 'sk-canary-8c2d51f07be94a63';

describe.each([
  ['bypass', 'open'],
  ['ask', 'open'],
  ['ask', 'sealed'],
])('the real codex, taken over where it works in %s, %s', (approvals, grade) => {
  it('takes typed turns in its terminal, and the next turn knows them and costs its own', async () => {
    world = await CodexWorld.start(
      {
        'first the sea': [says('One sea.')],
        // A command, so that a shell is begun as well.
        'second the wind': [runs('true'), says('Two winds.')],
        'third the sun': [says('Three suns.')],
      },
      CANARY,
    );
    const id = await world.launch('first the sea', '--approvals', approvals, '--grade', grade);
    const { view } = await world.untilTurns(id, 1);
    expect(view.checkout?.grade?.grade).toBe(grade);
    // What a person has answered before.
    const place = `[projects."${view.checkout?.directory}"]`;
    appendFileSync(world.ownFiles[0], `\n${place}\ntrust_level = "trusted"\n`);
    const stays = '\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n';
    appendFileSync(world.ownFiles[0], stays);
    const { key, client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    const environment = await terminalEnvironment(world, id);
    expect(environment).toContain('pilothouse-');
    expect(environment).not.toContain(CANARY);
    const before = world.api.served.length;
    await say(hands, 'second the wind', /Two winds/);
    await world.call(`/v1/sessions/${id}/release`, { key });
    const released = await world.untilState(id, 'parked');
    // Its terminal asks for a title as well, which no total of its thread counts.
    expect(released.view.turns[1]).toMatchObject({ origin: 'terminal', usage: 'unsettled' });
    // The gate has counted that too: every call of the terminal, and what they cost.
    const metered = (await world.events(id, 'model/metered')).at(-1);
    const byGate = world.api.served.slice(before);
    expect(metered).toMatchObject({
      turnId: released.view.turns[1]?.turnId,
      calls: byGate.length,
      microUsd: responsesBillOf(byGate),
      engineMicroUsd: null,
    });
    const [turn, byHand] = await world.events(id, 'usage/recorded');
    expect(byHand?.entries[0]).toMatchObject({ provenance: 'unsettled' });
    expect(byHand?.entries[0]?.microUsd).toBe(2 * (turn?.entries[0]?.microUsd ?? 0));
    expect(responsesBillOf(world.api.served)).toBeGreaterThanOrEqual(
      3 * (turn?.entries[0]?.microUsd ?? 0),
    );
    const running = listProcesses().filter(({ pid }) => readArgv(pid).includes('--managed-daemon'));
    expect(running.filter(({ pid }) => readArgv(pid).includes(world.home))).toEqual([]);
    await world.cli('sessions', 'say', id, 'third the sun');
    await world.untilTurns(id, 3);
    const all = await world.events(id, 'usage/recorded');
    expect(all.at(-1)?.entries[0]).toMatchObject({
      provenance: 'estimated',
      microUsd: turn?.entries[0]?.microUsd,
    });
    const asked = JSON.stringify(world.api.seen.findLast(({ request }) => request)?.request);
    expect(asked).toContain('Two winds.');
    const kept = findInFiles(world.home, CANARY);
    expect(kept.looked).toBeGreaterThan(10);
    expect(kept.places).toEqual([]);
    client.close();
  });
});
