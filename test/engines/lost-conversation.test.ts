import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

/** Real engines whose conversations are gone: with the seal that they lived in, or from the disk. */
type AnyWorld = ClaudeWorld | CodexWorld | GeminiWorld | OpencodeWorld;
let world: AnyWorld | undefined;
afterEach(() => world?.stop());

/**
 * Three starts of an engine that has nothing, as after its installation: OpenCode takes ten seconds
 * for each where nothing else runs. Whichever wait is in vain says so before this is over.
 */
const EVERY_WAIT_MS = 600_000;

// The newest first: a brief has in it what was said before.
const SCRIPT: Script = {
  'on with it': [says('Gone on.')],
  'count slowly': [
    {
      kind: 'message',
      content: [{ type: 'text', text: 'one two three '.repeat(500) }],
      pieceMs: 20,
    },
  ],
  'second the wind': [says('Two winds.')],
  'first the sea': [says('One sea.')],
};

const ENGINES = {
  claude: { start: () => ClaudeWorld.start(SCRIPT, CANARY_KEY), kept: ['.claude/projects'] },
  codex: {
    start: () => CodexWorld.start(SCRIPT, 'sk-canary-8c2d51f07be94a63'),
    kept: ['.codex/sessions'],
  },
  gemini: { start: () => GeminiWorld.start(SCRIPT), kept: ['.gemini/tmp', '.gemini/history'] },
  opencode: { start: () => OpencodeWorld.start(SCRIPT), kept: ['.local/share/opencode'] },
} as const;

/** One turn in a conversation, after which the session is stopped. */
async function begun(machine: AnyWorld, ...options: string[]): Promise<string> {
  const id = await machine.launch('first the sea', ...options);
  await machine.untilTurns(id, 1);
  await machine.cli('sessions', 'stop', id);
  await machine.untilState(id, 'stopped');
  return id;
}

/** The next turn is told the record, and is called that. */
async function expectBriefed(machine: AnyWorld, id: string): Promise<void> {
  const { view } = await machine.untilTurns(id, 2);
  expect(view.turns.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  const briefed = await machine.events(id, 'turn/briefed');
  expect(briefed).toMatchObject([{ turnId: view.turns[1]?.turnId, turns: 1 }]);
  const asked = JSON.stringify(machine.api.seen.findLast(({ request }) => request)?.request);
  expect(asked).toContain('Answered: One sea.');
}

it.each(['claude', 'codex'] as const)(
  'a sealed session of %s whose checkout was removed begins anew, told its record',
  async (engine) => {
    const machine = await ENGINES[engine].start();
    world = machine;
    const id = await begun(machine, '--grade', 'sealed');
    const removed = await machine.cli('checkouts', 'remove', id, '--discard');
    expect(removed.exitCode).toBe(0);
    await machine.cli('sessions', 'retry', id);
    await machine.cli('sessions', 'say', id, 'second the wind');
    await expectBriefed(machine, id);
    expect(await machine.events(id, 'launch/failed')).toEqual([]);
  },
);

it.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'a conversation that %s does not know any more is told as that, and retried from its record',
  async (engine) => {
    const machine = await ENGINES[engine].start();
    world = machine;
    const id = await begun(machine, '--grade', 'open');
    for (const kept of ENGINES[engine].kept)
      rmSync(join(machine.home, kept), { recursive: true, force: true });
    await machine.cli('sessions', 'retry', id);
    // An engine of many turns asks for its conversation at once, any other with the instruction.
    await machine.untilState(id, 'provider_failed', 'parked');
    await machine.cli('sessions', 'say', id, 'second the wind');
    const { view } = await machine.untilState(id, 'provider_failed');
    expect(view.failure?.error).toMatchObject({ code: 'conversation_lost' });
    const [, second] = view.turns;
    if (second) expect(second).toMatchObject({ state: 'accepted', delivery: 'undelivered' });
    await machine.cli('sessions', 'retry', id);
    if (!second) await machine.cli('sessions', 'say', id, 'second the wind');
    await expectBriefed(machine, id);
  },
  EVERY_WAIT_MS,
);

it.each(['claude', 'codex'] as const)(
  'a first turn that was killed before %s kept it goes on by itself, told the record',
  async (engine) => {
    const machine = await ENGINES[engine].start();
    world = machine;
    const id = await machine.launch('count slowly', '--grade', 'open');
    const staged = await until('the turn to begin', async () => {
      const began = (await machine.events(id, 'turn/started')).length > 0;
      if (!began || machine.api.served.length === 0) return null;
      return (await machine.events(id, 'launch/staged')).findLast(({ process }) => process);
    });
    process.kill(-(staged.process?.pid ?? 0), 'SIGKILL');
    await machine.untilTurns(id, 1);
    // What it had time to write down, as if it had had none.
    for (const kept of ENGINES[engine].kept)
      rmSync(join(machine.home, kept), { recursive: true, force: true });
    await machine.cli('sessions', 'say', id, 'on with it');
    const { view } = await machine.untilTurns(id, 2);
    expect(view.turns.map(({ outcome }) => outcome)).toEqual([expect.any(String), 'ok']);
    expect(await machine.events(id, 'launch/failed')).toEqual([]);
    expect(await machine.events(id, 'turn/briefed')).toMatchObject([
      { turnId: view.turns[1]?.turnId, turns: 1 },
    ]);
    const told = JSON.stringify(machine.api.seen.findLast(({ request }) => request)?.request);
    expect(told).toContain('Asked: count slowly');
  },
  EVERY_WAIT_MS,
);
