import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterEach, describe, expect, it } from 'vitest';
import { modelDifference } from '../../protocol/model-calls.ts';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { press, say, takeOverByHand, terminalEnvironment, type Hands } from '../e2e/hands.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Reply } from '../support/model-api/script.ts';
import { ShownScreen } from '../support/shown-screen.ts';
import { until } from '../support/until.ts';

/** The real claude in its own terminal, on a conversation that the product began and goes on with. */
let world: ClaudeWorld;
afterEach(() => world?.stop());

/** An answer that costs twenty cents. */
const costly = (reply: Reply): Reply =>
  reply.kind === 'message' ? { ...reply, usage: { output_tokens: 10_000 } } : reply;

const SCRIPT = {
  'first the sea': [says('One sea.')],
  'second the wind': [says('Two winds.')],
  'third the sun': [says('Three suns.')],
  // It costs what is left of a budget of twenty cents, and more if it were let.
  'fourth the storm': [costly(says('Storm over.'))],
  'fifth the hail': [says('Never said.')],
};

/** A launch whose first turn has ended, for a person whose answers to claude's questions stand: none is of a key. */
async function launched(
  grade: 'open' | 'sealed' = 'open',
  executable?: string,
  ...options: string[]
): Promise<string> {
  world = await ClaudeWorld.start(SCRIPT, CANARY_KEY, executable);
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
  };
  writeFileSync(join(world.home, '.claude.json'), JSON.stringify(answers));
  const id = await world.launch('first the sea', '--grade', grade, ...options);
  const { view } = await world.untilTurns(id, 1);
  expect(view.checkout?.grade?.grade).toBe(grade);
  const kept = grade === 'open' ? world.home : join(world.data, 'runner', 'seals', id, 'home');
  const projects = { [view.checkout?.directory ?? '']: { hasTrustDialogAccepted: true } };
  const path = join(kept, '.claude.json');
  const now = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...now, projects }));
  return id;
}

/** The next instruction goes on where the person was; answers what the ledger has, and the bill. */
async function goOn(id: string) {
  const { view } = await world.untilState(id, 'parked');
  expect(view.turns[1]).toMatchObject({ origin: 'terminal', usage: 'recorded' });
  expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served));
  await world.cli('sessions', 'say', id, 'third the sun');
  const third = await world.untilTurns(id, 3);
  expect(third.view.turns[2]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
  const asked = JSON.stringify(world.api.seen.findLast(({ request }) => request)?.request);
  expect(asked).toContain('second the wind');
  expect(asked).toContain('Two winds.');
  const { reported, ...others } = third.view.spend;
  return { recorded: { ...others, microUsd: reported?.microUsd }, bill: billOf(world.api.served) };
}

describe('the real claude, taken over', () => {
  it.each(['open', 'sealed'] as const)(
    'takes typed turns in its terminal, and knows them in the next one: %s',
    async (grade) => {
      const id = await launched(grade);
      const { key, client, hands } = await takeOverByHand(world, id);
      await hands.screen.see('One sea.');
      const environment = await terminalEnvironment(world, id);
      expect(environment).toContain('pilothouse-');
      expect(environment).not.toContain(CANARY_KEY);
      const before = world.api.served.length;
      await say(hands, 'second the wind', /Two winds/);
      await world.call(`/v1/sessions/${id}/release`, { key });
      const { recorded, bill } = await goOn(id);
      expect(recorded).toEqual({ microUsd: bill });
      const [first, byHand, last] = await world.events(id, 'model/metered');
      const { view } = await world.untilTurns(id, 3);
      expect(byHand?.turnId).toBe(view.turns[1]?.turnId);
      expect((first?.calls ?? 0) + (byHand?.calls ?? 0) + (last?.calls ?? 0)).toBe(
        world.api.served.length,
      );
      expect(byHand?.calls).toBeGreaterThanOrEqual(1);
      expect(first?.calls).toBe(before);
      expect(byHand?.engineMicroUsd).toBeGreaterThan(0);
      expect(view.model && modelDifference(view.model)).toBeNull();
      expect(new Set(world.api.seen.map(({ apiKey }) => apiKey))).toEqual(new Set([CANARY_KEY]));
      client.close();
    },
  );

  it('has a push that is typed as a command refused by the gate, on record in the interval', async () => {
    const id = await launched('sealed');
    const { key, client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    // Its prompt takes a line after an exclamation mark for the shell.
    await press(hands, '!', /!\s/);
    const command = 'git commit -q --allow-empty -m typed && git push origin HEAD:main';
    await press(hands, command, /git push origin HEAD:main/);
    await press(hands, '\r', /main is protected/);
    await world.call(`/v1/sessions/${id}/release`, { key });
    client.close();
    const { view } = await world.untilState(id, 'parked');
    expect(view.turns[1]).toMatchObject({ origin: 'terminal', acts: 1 });
    const [act] = await world.events(id, 'act/seen');
    expect(act?.act).toMatchObject({
      turnId: view.turns[1]?.turnId,
      kind: 'push',
      witness: 'gate',
      target: 'origin main',
    });
    expect(await world.events(id, 'act/ended')).toMatchObject([{ outcome: 'not_done' }]);
  });

  it('spends nothing in its terminal that the budget does not cover', async () => {
    const id = await launched('open', undefined, '--budget', '0.2');
    const { key, client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    const before = billOf(world.api.served);
    expect(before).toBeLessThan(200_000);
    await say(hands, 'fourth the storm', /Storm over/);
    await say(hands, 'fifth the hail', /budget/i);
    await world.call(`/v1/sessions/${id}/release`, { key });
    const { view } = await world.untilState(id, 'halted');
    expect(view.reason).toMatch(/limit of \$0\.20/);
    expect(billOf(world.api.served)).toBeLessThanOrEqual(200_000);
    expect(view.model?.refused).toBeGreaterThanOrEqual(1);
    client.close();
  });

  it('is driven from a shell, and handed back by leaving it', async () => {
    const id = await launched();
    const tool = join(PRODUCT_ROOT, 'tools/bootstrap/pilothouse.mjs');
    const shell = spawn(process.execPath, [tool, 'takeover', id], {
      cols: 90,
      rows: 25,
      cwd: world.repository,
      env: world.installation.env,
    });
    const screen = new ShownScreen({ columns: 90, rows: 25 }, (keys) => shell.write(keys));
    shell.onData((text) => screen.write(text));
    const hands: Hands = { screen, type: (keys) => shell.write(keys) };
    await hands.screen.see('One sea.');
    await say(hands, 'second the wind', /Two winds/);
    await say(hands, '/exit', /handed back/);
    const { recorded, bill } = await goOn(id);
    expect(recorded).toEqual({ microUsd: bill });
  });

  it('is unsettled, with a line in the record, where it was killed before it told its cost', async () => {
    const id = await launched();
    const { client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    await say(hands, 'second the wind', /Two winds/);
    const [opened] = await world.events(id, 'terminal/opened');
    process.kill(opened?.process.pid ?? 0, 'SIGKILL');
    const { view } = await world.untilState(id, 'parked');
    expect(view.turns[1]).toMatchObject({ origin: 'terminal', usage: 'unsettled' });
    expect(view.spend.unsettled).toMatchObject({ entries: 1, unpriced: 1 });
    client.close();
  });

  it('is settled over two terminals, when the runner is killed between them', async () => {
    const id = await launched();
    const { key, client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    await say(hands, 'second the wind', /Two winds/);
    process.kill(Number(readFileSync(world.layout.runnerPidFile, 'utf8')), 'SIGKILL');
    await client.untilFrame('machine', (frame) => !frame.connected);
    await until('the terminal to be opened again', async () => {
      const opened = await world.events(id, 'terminal/opened');
      return opened.length === 2;
    });
    // It draws itself before it listens, and one that is closed meanwhile writes down no figures.
    await press(hands, 'a word', /[❯>]\s+a word/);
    await world.call(`/v1/sessions/${id}/release`, { key });
    const { recorded, bill } = await goOn(id);
    expect(recorded).toEqual({ microUsd: bill });
    client.close();
  });

  it('is settled from its cost at exit, where an old version carries none along', async () => {
    const id = await launched('open', installEngine('claude-old'));
    const { key, client, hands } = await takeOverByHand(world, id);
    await hands.screen.see('One sea.');
    await say(hands, 'second the wind', /Two winds/);
    await world.call(`/v1/sessions/${id}/release`, { key });
    await world.untilState(id, 'parked');
    const entries = await world.events(id, 'usage/recorded');
    expect(entries.map(({ entries: [entry] }) => entry?.provenance)).toEqual([
      'reported',
      'reported',
    ]);
    expect(entries[1]?.entries[0]?.microUsd).toBe(entries[0]?.entries[0]?.microUsd);
    client.close();
  });
});
