import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { type EngineName, installEngine } from '../../tools/engines/install.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Script } from '../support/model-api/script.ts';

/** Conversations that a person began with each real engine that takes one up by its id. */
type AnyWorld = ClaudeWorld | CodexWorld | GeminiWorld | OpencodeWorld;
let world: AnyWorld | undefined;
afterEach(() => world?.stop());

// The newest first: what was said before is in every request.
const SCRIPT: Script = {
  'third the sun': [says('Three suns.')],
  'second the wind': [says('Two winds.')],
  'first the sea': [says('One sea.')],
};

type Begun = { start(): Promise<AnyWorld>; engine: EngineName; args: readonly string[] };

const CLAUDE: Begun = {
  start: () => ClaudeWorld.start(SCRIPT, CANARY_KEY),
  engine: 'claude',
  args: ['-p', '--output-format', 'stream-json', '--verbose', 'first the sea'],
};
const CODEX: Begun = {
  start: () => CodexWorld.start(SCRIPT, 'sk-canary-8c2d51f07be94a63'),
  engine: 'codex',
  args: ['exec', '--json', '--model', 'gpt-5.5', 'first the sea'],
};
const GEMINI: Begun = {
  start: () => GeminiWorld.start(SCRIPT),
  engine: 'gemini',
  args: ['--output-format', 'stream-json', '--skip-trust', '-p', 'first the sea'],
};
const OPENCODE: Begun = {
  start: () => OpencodeWorld.start(SCRIPT),
  engine: 'opencode',
  args: ['run', '--format', 'json', 'first the sea'],
};

/** The id that the engine itself tells of the conversation, in the first line that has one. */
async function beginByHand(machine: AnyWorld, { engine, args }: Begun): Promise<string> {
  const running = promisify(execFile)(installEngine(engine), args, {
    cwd: machine.repository,
    env: machine.installation.env,
  });
  running.child.stdin?.end();
  const { stdout } = await running;
  const told = /"(?:session_id|thread_id|sessionID)":\s*"([^"]+)"/.exec(stdout)?.[1];
  if (told === undefined) throw new Error(`no id of a conversation in: ${stdout}`);
  return told;
}

it.each([
  ['claude, ask', CLAUDE, 'ask', 'recorded', 'recorded'],
  ['codex, bypass', CODEX, 'bypass', 'recorded', 'recorded'],
  ['codex, plan', CODEX, 'plan', 'recorded', 'recorded'],
  ['codex, ask', CODEX, 'ask', 'recorded', 'recorded'],
  ['gemini, bypass', GEMINI, 'bypass', 'recorded', 'recorded'],
  // Its form that asks tells nothing of what it costs.
  ['gemini, ask', GEMINI, 'ask', 'unobservable', 'unobservable'],
  // Its total begins before us, and what it was then is in no file that is read here.
  ['opencode, ask', OPENCODE, 'ask', 'unsettled', 'recorded'],
] as const)(
  'a conversation of %s that was begun by hand goes on here, and is not halted',
  async (_, begun, approvals, first, second) => {
    const machine = await begun.start();
    world = machine;
    const conversation = await beginByHand(machine, begun);
    const model = begun.engine === 'codex' ? ['--model', 'gpt-5.5'] : [];
    const options = ['--conversation', conversation, '--approvals', approvals, ...model];
    const id = await machine.launchOn(begun.engine, 'second the wind', ...options);
    // Gemini CLI, where it asks, is started when the minute of its conversation is over.
    await machine.untilState(id, 'working', 'idle', 'parked');
    const taken = await machine.untilTurns(id, 1);
    expect(taken.view.engine?.engineSessionId).toBe(conversation);
    expect(taken.view.turns[0]).toMatchObject({ outcome: 'ok', usage: first });
    await machine.cli('sessions', 'say', id, 'third the sun');
    const after = await machine.untilTurns(id, 2);
    expect(after.view.turns[1]).toMatchObject({ outcome: 'ok', usage: second });
    expect(await machine.events(id, 'session/halted')).toEqual([]);
    const asked = JSON.stringify(machine.api.seen.findLast(({ request }) => request)?.request);
    for (const words of ['One sea.', 'Two winds.']) expect(asked).toContain(words);
  },
);
