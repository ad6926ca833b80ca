import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GEMINI_CANARY, GeminiWorld } from '../e2e/gemini-world.ts';
import { findInFiles } from '../faults/canary-search.ts';
import { listProcessesOf } from '../support/processes.ts';
import { calls, says, type Reply } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

/** How turns of the real gemini end, other than well. */
const refusal = (status: number, type: string): Reply => ({
  kind: 'error',
  status,
  type,
  message: `The model says ${status}.`,
});
const breaksOff: Reply = {
  kind: 'message',
  content: [{ type: 'text', text: 'one two three four five six' }],
  cutAfter: 3,
};
const waits = calls('run_shell_command', { command: 'sleep 300', description: 'wait' });

let world: GeminiWorld;
beforeAll(async () => {
  world = await GeminiWorld.start({
    // First: an instruction that was cut off is put into one message with the one after it.
    'are you there': [says('Still here.')],
    'wait long': [waits],
    'wait again': [waits],
    'be limited': [refusal(429, 'RESOURCE_EXHAUSTED')],
    'be overloaded': [refusal(503, 'UNAVAILABLE')],
    'be refused': [refusal(401, 'UNAUTHENTICATED')],
    'break off': [breaksOff],
    'say the key': [
      calls('run_shell_command', { command: 'env', description: 'look' }),
      says(`The key is ${GEMINI_CANARY} as you see.`),
    ],
  });
});
afterAll(() => world?.stop());

const inTool = (id: string) =>
  until('the tool to run', async () => {
    const [tools, staged] = await Promise.all([
      world.events(id, 'tool/started'),
      world.events(id, 'launch/staged'),
    ]);
    const process = staged.findLast((event) => event.process)?.process;
    return tools.length > 0 && process ? process.pid : null;
  });

describe('a turn of the real gemini', () => {
  it('stops when interrupted, tools and all, and the conversation goes on', async () => {
    const id = await world.launch('wait long');
    const pid = await inTool(id);
    const before = listProcessesOf(world.home).length;
    expect((await world.cli('sessions', 'interrupt', id)).exitCode).toBe(0);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'interrupted', usage: 'unsettled' });
    const left = listProcessesOf(world.home);
    expect(left).not.toContain(pid);
    // The engine, its shell and the tool, which the engine leaves running.
    expect(left.length).toBeLessThanOrEqual(before - 3);
    await world.cli('sessions', 'say', id, 'are you there');
    const after = await world.untilTurns(id, 2);
    expect(after.view.turns[1]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(JSON.stringify(world.api.seen.at(-1)?.request)).toMatch(/wait long.*are you there/);
  });

  it('that is killed with -9 is killed and unsettled, and is resumed by its id', async () => {
    const id = await world.launch('wait again');
    process.kill(await inTool(id), 'SIGKILL');
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    expect(view.spend.unsettled).toMatchObject({ entries: 1, unpriced: 1 });
    await world.cli('sessions', 'say', id, 'are you there');
    const after = await world.untilTurns(id, 2);
    expect(after.view.turns[1]?.outcome).toBe('ok');
    expect(JSON.stringify(world.api.seen.at(-1)?.request)).toMatch(/wait again.*are you there/);
  });

  it.each([
    ['be limited', 'rate_limited'],
    ['be overloaded', 'overloaded'],
    ['break off', 'unknown'],
  ])('that has to %s is %s, in the words of the provider and in ours', async (objective, code) => {
    const id = await world.launch(objective);
    const ended = await until('the turn’s end', async () =>
      (await world.events(id, 'turn/ended')).at(0),
    );
    expect(ended).toMatchObject({ outcome: 'failed', error: { code } });
    expect(ended.usage).toBe(objective === 'break off' ? 'unsettled' : 'recorded');
  });

  it('with a key that is refused fails the launch, and says what to do', async () => {
    const id = await world.launch('be refused');
    const { view } = await world.untilState(id, 'provider_failed');
    expect(view.failure?.error.code).toBe('auth_expired');
    expect(view.failure?.error.message).toContain('replace the API key');
  });

  it('shows the key to nobody, though its model says it', async () => {
    const id = await world.launch('say the key');
    await world.untilTurns(id, 1);
    const entries = JSON.stringify(await world.entries(id));
    expect(entries).toContain('as you see');
    expect(entries).not.toContain(GEMINI_CANARY);
    expect(world.api.seen.some(({ apiKey }) => apiKey === GEMINI_CANARY)).toBe(true);
    const found = findInFiles(world.data, GEMINI_CANARY);
    expect(found.looked).toBeGreaterThan(10);
    // What the engine itself notes of its conversation, in its home, is its own; so is its output.
    const own = /\/(spools|seals\/[^/]+\/home\/\.gemini)\//;
    expect(found.places.filter((place) => !own.test(`/${place}`))).toEqual([]);
  });
});
