import { beforeEach, describe, expect, it } from 'vitest';
import { env } from 'cloudflare:workers';
import { actPage } from '../../../protocol/http.ts';
import type { ForeseenAct } from '../../../protocol/terminal-command.ts';
import { answerCall } from '../../../workers/gate/answer.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { ask } from '../support/http.ts';
import { type House, PANE, SAVER, startOperating } from '../support/operators.ts';

let house: House;
beforeEach(async () => {
  house = await startOperating();
  await house.change({ change: 'consent', consents: { run: 'always', send: 'always' } });
});

const RUN = { tool: 'tmux_run_command', params: { target: PANE, command: 'make' } };
const KEYS = { tool: 'tmux_send_keys', params: { target: PANE, keys: ['Enter'] } };
const act = (kind: ForeseenAct['kind'], target: string | null = null): ForeseenAct => ({
  kind,
  command: `the command of ${kind}`,
  target,
  uncertain: false,
});
const call = (asked: unknown = RUN) =>
  callTool(env, {
    instanceId: house.instanceId,
    call: asked,
    actor: { kind: 'agent', id: 'chat' },
    callId: 'one',
  });
const list = async (query = '') =>
  actPage.parse((await ask('GET', `/v1/acts${query}`, { bearer: house.cli })).body).items;
const ran = (exitCode: number) => ({
  ok: true as const,
  value: {
    status: 'ended',
    exitCode,
    receipt: 'delivered',
    text: '',
    omitted: 0,
    target: PANE,
  },
});

describe('the acts of an operator', () => {
  it('are in the ledger of acts with what a command was and became, under its name', async () => {
    house.machine.acts = [act('push', 'origin feature'), act('comment')];
    expect(await call()).toMatchObject({ kind: 'done' });
    const [second, first] = (await list())
      .toSorted((one, other) => one.kind.localeCompare(other.kind))
      .toReversed();
    expect(second).toMatchObject({
      sessionId: house.instanceId,
      sessionTitle: 'mine',
      engineId: 'operator',
      toolId: 'one',
      kind: 'push',
      target: 'origin feature',
      command: 'the command of push',
      witness: 'instructed',
      outcome: 'done',
      waiting: false,
    });
    expect(first).toMatchObject({ kind: 'comment', outcome: 'done' });
  });

  it('that the policy denies are told as not done, by whom and why', async () => {
    house.machine.acts = [act('push', 'origin main')];
    expect(await call()).toMatchObject({ kind: 'denied', rule: 'policy' });
    expect(await list()).toMatchObject([
      {
        kind: 'push',
        outcome: 'not_done',
        decidedBy: 'policy',
        reason: 'merge policy (pr) on push origin main',
      },
    ]);
    expect((await list())[0]?.breach).toBeUndefined();
  });

  it('are not told while a person is asked, and once they said yes', async () => {
    house.machine.acts = [act('publish')];
    expect(await call()).toMatchObject({ kind: 'waiting', rule: 'policy' });
    expect(await list()).toEqual([]);
    const said = { instanceId: house.instanceId, callId: 'one', answer: 'once' } as const;
    await answerCall(env, SAVER, said, Date.now());
    await call();
    expect(await list()).toMatchObject([{ kind: 'publish', outcome: 'done' }]);
  });

  it.each([
    ['unknown of a command that failed', RUN, ran(1), 'unknown'],
    ['not done where the machine refused', RUN, refused(), 'not_done'],
    ['unknown of what was typed', KEYS, null, 'unknown'],
  ] as const)('are %s', async (_, asked, answer, outcome) => {
    house.machine.acts = [act('comment')];
    if (answer) house.machine.answer = () => answer;
    await call(asked);
    expect(await list()).toMatchObject([{ outcome }]);
  });

  it('end as not done where they were allowed and may never begin any more', async () => {
    house.machine.acts = [act('comment')];
    house.machine.answer = () => ({ ok: false, code: 'internal', message: 'x' });
    await call();
    expect(await list()).toMatchObject([{ outcome: 'unknown' }]);
    house.machine.forget();
    await house.change({ change: 'pause' });
    await call();
    expect(await list()).toMatchObject([
      { outcome: 'not_done', decidedBy: null, reason: 'it is paused' },
    ]);
  });

  it('are found by their instance, their machine and their witness', async () => {
    house.machine.acts = [act('comment')];
    await call();
    for (const query of [
      `?sessionId=${house.instanceId}`,
      `?runnerId=${house.runner.runnerId}`,
      '?witness=instructed&outcome=done',
    ])
      expect(await list(query), query).toHaveLength(1);
    for (const query of ['?sessionId=ins_other', '?runnerId=run_other', '?witness=stream'])
      expect(await list(query), query).toEqual([]);
  });
});

function refused() {
  return { ok: false as const, code: 'terminal_busy', message: 'busy' };
}
