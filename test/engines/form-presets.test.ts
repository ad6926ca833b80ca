import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installEngine } from '../../tools/engines/install.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { say, takeOverByHand } from '../e2e/hands.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import type { World } from '../e2e/world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { responsesBillOf } from '../support/model-api/responses.ts';
import { calls, says, type Script } from '../support/model-api/script.ts';
import { sealProblem } from '../support/sealed.ts';

/** Forms of real engines under words of a person's own, from the command line to the ledger. */
let world: (World & { stop(): Promise<void> }) | undefined;
afterEach(() => world?.stop());

const SCRIPT: Script = {
  'second the wind': [says('Two winds.')],
  'first the sea': [says('One sea.')],
};
const shown = z.object({ sha256: z.string() });

/** Describes an engine and approves it on the machine, which refuses it until then. */
async function approve(machine: World, id: string, ...described: string[]): Promise<void> {
  const added = await machine.cli('engines', 'add', id, '--label', 'Mine', ...described);
  expect([added.exitCode, added.stderr]).toEqual([0, '']);
  const early = await machine.cli('launch', '--engine', id, 'too early');
  expect([early.exitCode, early.stderr]).toEqual([4, expect.stringContaining('not approved')]);
  const { sha256 } = await machine.json(shown, 'engines', 'show', id);
  const done = await machine.cli('engines', 'approve', id, '--hash', sha256);
  expect([done.exitCode, done.stderr]).toEqual([0, '']);
}
const started = async (machine: World, id: string) =>
  (await machine.events(id, 'launch/staged')).flatMap(({ process }) => process?.argv ?? []);

describe('a form of an engine with a person’s own words', () => {
  it('is OpenCode: metered to the micro-dollar, sealed, and taken over with the words approved', async () => {
    const machine = await OpencodeWorld.start(SCRIPT);
    world = machine;
    const command = [installEngine('opencode'), '--log-level', 'ERROR'];
    await approve(machine, 'my-opencode', '--from', 'opencode', '--', ...command);
    const id = await machine.launchOn('my-opencode', 'first the sea', '--budget', '5');
    const { view } = await machine.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(view.spend.reported?.microUsd).toBe(billOf(machine.api.served));
    expect(Object.keys(view.spend)).toEqual(['reported']);
    if (sealProblem === null) expect(view.checkout?.grade?.grade).toBe('sealed');
    expect(await started(machine, id)).toEqual(expect.arrayContaining([...command, 'acp']));
    const { key, client, hands } = await takeOverByHand(machine, id);
    await hands.screen.see('One sea.');
    await say(hands, 'second the wind', /Two winds[^]*▣[^\n]*\ds/);
    await machine.call(`/v1/sessions/${id}/release`, { key });
    await machine.untilState(id, 'parked');
    client.close();
    const [opened] = await machine.events(id, 'terminal/opened');
    expect(opened?.process?.argv.slice(0, 3)).toEqual(command);
    const edited = await machine.cli('engines', 'edit', 'my-opencode', '--', ...command, '--pure');
    expect(edited.stdout).toContain('version 2');
    expect((await machine.cli('launch', '--engine', 'my-opencode', 'again')).exitCode).toBe(4);
  });

  it('is Codex by its app-server: it asks, and its tokens are the API’s', async () => {
    const push: Script = {
      'first the sea': [calls('shell', { command: 'touch sea.txt' }), says('One sea.')],
    };
    const machine = await CodexWorld.start(push, 'sk-canary-of-the-forms');
    world = machine;
    const command = [installEngine('codex'), '-c', 'model_reasoning_effort="low"'];
    const form = ['--from', 'codex', '--parser', 'codex-app-server'];
    await approve(machine, 'my-codex', ...form, '--', ...command);
    const options = ['--model', 'gpt-5.5', '--approvals', 'ask'];
    const id = await machine.launchOn('my-codex', 'first the sea', ...options);
    await machine.approveUntilEnd(id);
    const { view } = await machine.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(view.spend.estimated?.microUsd).toBe(responsesBillOf(machine.api.served));
    expect((await machine.events(id, 'approval/requested')).length).toBeGreaterThan(0);
    const argv = await started(machine, id);
    expect(argv).toEqual(expect.arrayContaining(['model_reasoning_effort="low"', 'app-server']));
    expect(JSON.stringify(machine.api.seen.at(-1)?.request)).toContain('"effort":"low"');
  });

  it('is Gemini CLI by its protocol: it asks, and its cost stays unknown', async () => {
    const machine = await GeminiWorld.start(SCRIPT);
    world = machine;
    const form = ['--from', 'gemini', '--parser', 'gemini-acp'];
    await approve(machine, 'my-gemini', ...form, '--', installEngine('gemini'), '--debug');
    const id = await machine.launchOn('my-gemini', 'first the sea', '--approvals', 'ask');
    const { view } = await machine.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'unobservable' });
    expect(Object.keys(view.spend)).toEqual(['unmetered']);
    expect(await started(machine, id)).toEqual(expect.arrayContaining(['--debug', '--acp']));
  });
});

describe('a program that speaks the protocol, and of which nothing else is known', () => {
  it('works its turns; what it tells of its cost is kept beside the word that it may not be all', async () => {
    const machine = await OpencodeWorld.start(SCRIPT);
    world = machine;
    const command = [installEngine('opencode'), 'acp'];
    await approve(machine, 'any-agent', '--parser', 'acp', '--', ...command);
    const show = await machine.cli('engines', 'show', 'any-agent');
    expect(show.stdout).toMatch(/unmetered: what it tells of its cost is kept and may not be all/);
    const refused = await machine.cli(
      'launch',
      '--engine',
      'any-agent',
      '--budget',
      '5',
      'first the sea',
    );
    expect([refused.exitCode, refused.stderr]).toEqual([
      4,
      expect.stringContaining('does not tell what it uses'),
    ]);
    const id = await machine.launchOn('any-agent', 'first the sea');
    const { view } = await machine.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(Object.keys(view.spend).toSorted()).toEqual(['reported', 'unmetered']);
    // It told its answer's cost, and not that of the title that it had made.
    const billed = billOf(machine.api.served);
    expect(view.spend.reported?.microUsd).toBeGreaterThan(0);
    expect(view.spend.reported?.microUsd).toBeLessThan(billed);
    expect(view.launch.policy?.policy.mode).toBe('pr');
    expect(await started(machine, id)).toEqual(command);
  });
});
