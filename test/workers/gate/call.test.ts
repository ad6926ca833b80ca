import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { GATE_RATE, type GateAnswer } from '../../../protocol/gate.ts';
import { commandId, instanceId as instanceIdSchema } from '../../../protocol/ids.ts';
import { answerCall } from '../../../workers/gate/answer.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { aPane, type House, PANE, SAVER, startOperating } from '../support/operators.ts';
import { until } from '../support/socket.ts';

let house: House;
beforeEach(async () => {
  house = await startOperating();
});

const ALWAYS = { read: 'always', send: 'always', run: 'always', kill: 'always' } as const;
const consent = () => house.change({ change: 'consent', consents: ALWAYS });
const RUN = { tool: 'tmux_run_command', params: { target: PANE, command: 'npm test' } };
const CAPTURE = { tool: 'tmux_capture_pane', params: { target: PANE } };

let count = 0;
const call = (asked: unknown, callId = `call-${(count += 1)}`): Promise<GateAnswer> =>
  callTool(env, {
    instanceId: house.instanceId,
    call: asked,
    actor: { kind: 'mcp', id: 'key-1' },
    callId,
  });
const rows = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results;

describe('a call through the gate', () => {
  it('is decided on record, carried out, and put down as a drive', async () => {
    await consent();
    expect(await call(RUN, 'one')).toMatchObject({ kind: 'done', value: { exitCode: 0 } });
    expect(await rows('gate_decisions')).toMatchObject([
      {
        call_id: 'one',
        step: 0,
        effect: 'allow',
        rule: null,
        tool: 'tmux_run_command',
        risk: 'run',
      },
    ]);
    expect(await rows('gate_outcomes')).toMatchObject([{ call_id: 'one', status: 'done' }]);
    expect(await rows('drives')).toMatchObject([
      { call_id: 'one', target: PANE, bytes: 8, receipt: 'delivered', metering: 'unmetered' },
    ]);
  });

  it('leaves nothing of its content on record', async () => {
    await consent();
    await call({ ...RUN, params: { target: PANE, command: 'echo canary-7c1e' } });
    for (const table of ['gate_decisions', 'gate_outcomes', 'drives', 'gate_waiting'])
      expect(JSON.stringify(await rows(table))).not.toContain('canary-7c1e');
  });

  it('has its decision on record before the machine is told of it', async () => {
    await consent();
    house.machine.answer = () => null;
    const made = call(RUN);
    await until(() => house.machine.writes.length === 1, 'the write');
    expect(await rows('gate_decisions')).toHaveLength(1);
    const { id } = house.machine.asked.at(-1) ?? { id: commandId.parse('cmd_none') };
    house.peer.result(id, { ok: false, code: 'terminal_busy', message: 'busy' });
    expect(await made).toMatchObject({ kind: 'refused', code: 'terminal_busy' });
    expect(await rows('drives')).toEqual([]);
  });

  it('made again by its id happens once, even twice at a time', async () => {
    await consent();
    const [first, second] = await Promise.all([call(RUN, 'same'), call(RUN, 'same')]);
    expect(second).toEqual(first);
    expect(await call(RUN, 'same')).toEqual(first);
    expect(house.machine.writes).toHaveLength(1);
    expect(await rows('drives')).toHaveLength(1);
    const commands = house.machine.asked.filter(({ method }) => method === 'terminal/call');
    expect(new Set(commands.map(({ id }) => id)).size).toBe(1);
  });

  it('is refused where another was made under its id', async () => {
    await consent();
    await call(RUN, 'same');
    await expect(call(CAPTURE, 'same')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('whose answer is lost is unknown, counts as a drive, and is told when it is known', async () => {
    await consent();
    house.machine.answer = () => null;
    const lost = call(RUN, 'lost');
    await until(() => house.machine.writes.length === 1, 'the write');
    house.peer.socket.close();
    expect(await lost).toMatchObject({ kind: 'unknown' });
    expect(await rows('drives')).toMatchObject([{ call_id: 'lost', receipt: 'unknown' }]);
  });

  it.each([
    ['no tool', { tool: 'tmux_explode', params: {} }],
    ['a target that is none', { tool: 'tmux_capture_pane', params: { target: 'build' } }],
  ])('with %s is refused', async (_what, asked) => {
    await expect(call(asked)).rejects.toMatchObject({ code: 'bad_request' });
    expect(await rows('gate_decisions')).toEqual([]);
  });

  it('of an instance that is not there is refused', async () => {
    const instanceId = instanceIdSchema.parse('ins_none');
    const actor = { kind: 'mcp', id: 'k' } as const;
    await expect(
      callTool(env, { instanceId, call: RUN, actor, callId: 'x' }),
    ).rejects.toMatchObject({ code: 'instance_not_found' });
  });
});

describe('what the gate refuses', () => {
  it('reaches no machine where no answer of it could help', async () => {
    await house.change({ change: 'narrow', narrowing: { tools: ['tmux_list_sessions'] } });
    expect(await call(CAPTURE)).toEqual({
      kind: 'denied',
      rule: 'tools',
      reason: 'subscriber took the tool tmux_capture_pane away',
    });
    expect(house.machine.asked).toEqual([]);
  });

  it('is everything of an instance that is paused', async () => {
    await house.change({ change: 'pause' });
    expect(await call(CAPTURE)).toMatchObject({ kind: 'denied', rule: 'instance' });
  });

  it('is a terminal that is not there any more', async () => {
    house.machine.pane = null;
    expect(await call(CAPTURE)).toMatchObject({ kind: 'denied', rule: 'binding' });
  });

  it('is a session under another name than the subscriber’s', async () => {
    const narrowing = { surfaceOptions: { tmux: { prefix: 'agent-' } } };
    await house.change({ change: 'narrow', narrowing });
    expect(await call(CAPTURE)).toMatchObject({ kind: 'done' });
    house.machine.pane = aPane({ session: 'private' });
    expect(await call(CAPTURE)).toMatchObject({
      kind: 'denied',
      rule: 'narrowing',
      reason: 'subscriber narrowed names to those that begin with agent-',
    });
  });

  it('is everything while the machine is away', async () => {
    house.peer.socket.close();
    await until(async () => (await call(CAPTURE)).kind === 'denied', 'the machine to be away');
    expect(await call(RUN)).toMatchObject({ kind: 'denied', rule: 'binding' });
  });

  it('is what the merge policy denies, before anything is sent', async () => {
    await consent();
    const act = { kind: 'push', command: 'git push origin main', target: 'origin main' } as const;
    house.machine.acts = [{ ...act, uncertain: false }];
    expect(await call(RUN)).toMatchObject({ kind: 'denied', rule: 'policy' });
    expect(house.machine.writes).toEqual([]);
    expect(await rows('gate_decisions')).toMatchObject([{ acts: '["push"]' }]);
  });

  it('is more than its calls in a minute', async () => {
    await consent();
    await house.makeMany(GATE_RATE.most);
    expect(await call(CAPTURE)).toMatchObject({ kind: 'denied', rule: 'rate' });
  });

  it('is not the last of them for having waited for a person', async () => {
    await house.makeMany(GATE_RATE.most - 1);
    expect(await call(RUN, 'last')).toMatchObject({ kind: 'waiting' });
    const said = { instanceId: house.instanceId, callId: 'last', answer: 'once' } as const;
    await answerCall(env, SAVER, said, Date.now());
    expect(await call(RUN, 'last')).toMatchObject({ kind: 'done' });
    expect(await call(CAPTURE)).toMatchObject({ kind: 'denied', rule: 'rate' });
  });
});

describe('a bound operator', () => {
  const bind = async () => {
    await house.change({ change: 'bind', boundTarget: { target: PANE, label: 'build' } });
    const narrowing = { surfaceOptions: { tmux: { targets: 'single' as const } } };
    await house.change({ change: 'narrow', narrowing });
  };

  it('reaches its terminal alone, on the machine too', async () => {
    await bind();
    expect(await call(CAPTURE)).toMatchObject({ kind: 'done' });
    expect(house.machine.asked.at(-1)?.params.scope).toMatchObject({ only: PANE });
    const other = { tool: 'tmux_capture_pane', params: { target: 'tmux:own:1.2:%4' } };
    expect(await call(other)).toMatchObject({ kind: 'denied', rule: 'binding' });
    expect(await call({ tool: 'tmux_list_sessions', params: {} })).toMatchObject({ kind: 'done' });
    expect(house.machine.asked.at(-1)?.params.scope).toMatchObject({ only: PANE });
  });
});
