import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { GATE_RATE, type GateActor, type GateAnswer } from '../../../protocol/gate.ts';
import { answerCall } from '../../../workers/gate/answer.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { type House, PANE, SAVER, startOperating } from '../support/operators.ts';
import { until } from '../support/socket.ts';

let house: House;
beforeEach(async () => {
  house = await startOperating();
  await house.change({ change: 'consent', consents: { read: 'always', run: 'always' } });
});

const RUN = { tool: 'tmux_run_command', params: { target: PANE, command: 'npm test' } };
const CAPTURE = { tool: 'tmux_capture_pane', params: { target: PANE } };
const MCP: GateActor = { kind: 'mcp', id: 'key-1' };
const call = (asked: unknown, actor = MCP): Promise<GateAnswer> =>
  callTool(env, { instanceId: house.instanceId, call: asked, actor, callId: 'same' });
const effects = async () =>
  (await env.DB.prepare('SELECT step, effect, rule FROM gate_decisions ORDER BY step').all())
    .results;
const reads = () => house.machine.asked.filter(({ method }) => method === 'terminal/read').length;

/** The decision to run is on record, and the Worker died before anything was sent. */
async function allowAndDie(asked: unknown = RUN): Promise<void> {
  house.machine.answer = () => ({ ok: false, code: 'internal', message: 'x' });
  await call(asked);
  await env.DB.exec('DROP TRIGGER gate_outcomes_no_delete; DELETE FROM gate_outcomes');
  house.machine.forget();
  house.machine.answer = null;
}

describe('a read that was allowed and is made again', () => {
  it('shows nothing a second time, whatever the terminal shows by now', async () => {
    expect(await call(CAPTURE)).toMatchObject({ kind: 'done' });
    expect(await call(CAPTURE)).toMatchObject({
      kind: 'denied',
      reason: expect.stringContaining('make it as a new call'),
    });
    expect(reads()).toBe(1);
  });

  it('is carried out where it never was, and only while it still may be', async () => {
    await allowAndDie(CAPTURE);
    expect(await call(CAPTURE)).toMatchObject({ kind: 'done' });
    expect(await effects()).toHaveLength(1);
  });

  it.each([
    ['the instance is paused', { change: 'pause' }, 'instance'],
    [
      'reading is not agreed to any more',
      { change: 'consent', consents: { read: 'never' } },
      'consent',
    ],
    ['reading is asked about by now', { change: 'consent', consents: { read: 'ask' } }, 'consent'],
    ['the tool was taken away', { change: 'narrow', narrowing: { tools: [] } }, 'tools'],
  ] as const)('reads nothing once %s, and the no is on record', async (_, change, rule) => {
    await allowAndDie(CAPTURE);
    const before = reads();
    await house.change(change as Parameters<House['change']>[0]);
    expect(await call(CAPTURE)).toMatchObject({ kind: 'denied', rule });
    expect(reads()).toBe(before);
    expect(await effects()).toEqual([
      { step: 0, effect: 'allow', rule: null },
      { step: 1, effect: 'deny', rule },
    ]);
  });
});

describe('a write that was allowed and is made again', () => {
  it('is never begun in an instance that is paused by then, not even after the pause', async () => {
    await allowAndDie();
    const before = house.machine.writes.length;
    await house.change({ change: 'pause' });
    expect(await call(RUN)).toMatchObject({ kind: 'denied', rule: 'instance' });
    await house.change({ change: 'resume' });
    expect(await call(RUN)).toMatchObject({ kind: 'denied', rule: 'instance' });
    expect(house.machine.writes).toHaveLength(before);
  });

  it('is told as the machine remembers it, where it was carried out before the pause', async () => {
    const first = await call(RUN);
    await house.change({ change: 'pause' });
    expect(await call(RUN)).toEqual(first);
    expect(house.machine.writes).toHaveLength(1);
  });

  it('is unknown while the machine is away, for it may have been carried out', async () => {
    await call(RUN);
    house.peer.socket.close();
    await until(async () => (await call(RUN)).kind === 'unknown', 'the machine to be away');
    expect(await effects()).toHaveLength(1);
  });

  it('that a person agreed to once is carried out under their yes', async () => {
    await house.change({ change: 'consent', consents: { run: 'ask' } });
    await call(RUN);
    const said = { instanceId: house.instanceId, callId: 'same', answer: 'once' } as const;
    await answerCall(env, SAVER, said, Date.now());
    const first = await call(RUN);
    expect(first).toMatchObject({ kind: 'done' });
    expect(await call(RUN)).toEqual(first);
  });

  it('counts for the rate like any other', async () => {
    await allowAndDie();
    await house.makeMany(GATE_RATE.most);
    expect(await call(RUN)).toMatchObject({ kind: 'denied', rule: 'rate' });
  });
});

it.each([
  ['another key', { kind: 'mcp', id: 'key-2' }],
  ['the agent, whose names of calls can be guessed', { kind: 'agent', id: 'key-1' }],
] as const)('a call of one caller is not told to %s', async (_, actor) => {
  await call(RUN);
  await expect(call(RUN, actor)).rejects.toMatchObject({ code: 'conflict' });
});
