import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  GATE_ANSWER_MS,
  GATE_REPEAT_MS,
  gateDecisionPage,
  gateRequestList,
  type GateSaid,
} from '../../../protocol/gate.ts';
import { answerCall } from '../../../workers/gate/answer.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { readInstance } from '../../../workers/operators/read.ts';
import { listRung } from '../support/bell.ts';
import { ask, codeOf, signIn } from '../support/http.ts';
import { aPane, type House, PANE, SAVER, startOperating } from '../support/operators.ts';

let house: House;
beforeEach(async () => {
  house = await startOperating();
});

const RUN = { tool: 'tmux_run_command', params: { target: PANE, command: 'npm test' } };
const call = (callId: string) =>
  callTool(env, {
    instanceId: house.instanceId,
    call: RUN,
    actor: { kind: 'agent', id: 'chat' },
    callId,
  });
const answer = (callId: string, said: GateSaid, credential: object = { bearer: house.cli }) =>
  ask('POST', `/v1/instances/${house.instanceId}/calls/${callId}/answer`, {
    ...credential,
    body: { answer: said },
  });
const requests = async () =>
  gateRequestList.parse((await ask('GET', '/v1/gate/requests', { bearer: house.cli })).body).items;
const decisions = async (query = '') =>
  gateDecisionPage.parse(
    (
      await ask('GET', `/v1/instances/${house.instanceId}/decisions${query}`, {
        bearer: house.cli,
      })
    ).body,
  );

describe('a yes to what a terminal showed', () => {
  const shows = (command: string) => {
    house.machine.linesSha256 = `lines of ${command}`;
  };

  it.each([
    ['what stands on the line', () => shows('rm -rf .')],
    ['the directory', () => (house.machine.pane = aPane({ directory: '/code/other' }))],
    ['what is in front', () => (house.machine.pane = aPane({ state: 'program' }))],
  ])('does not cover the call once %s is another', async (_what, change) => {
    shows('ls');
    expect(await call('one')).toMatchObject({ kind: 'waiting' });
    await answer('one', 'once');
    change();
    expect(await call('one')).toMatchObject({
      kind: 'denied',
      reason: expect.stringContaining('not as it was when a person agreed'),
    });
    expect(house.machine.writes).toEqual([]);
  });

  it('covers no repeat of it either, and what was done is still answered', async () => {
    shows('ls');
    await call('one');
    await answer('one', 'once');
    expect(await call('one')).toMatchObject({ kind: 'done' });
    shows('rm -rf .');
    // The machine remembers it: it happened once, and is not begun again.
    expect(await call('one')).toMatchObject({ kind: 'done' });
    house.machine.forget();
    expect(await call('one')).toMatchObject({ kind: 'denied' });
    expect(house.machine.writes).toHaveLength(1);
  });

  it('holds while a program only goes on writing', async () => {
    house.machine.pane = aPane({ state: 'program' });
    shows('one line');
    await call('one');
    await answer('one', 'once');
    shows('another');
    expect(await call('one')).toMatchObject({ kind: 'done' });
  });
});
describe('a call that a person is asked about', () => {
  it('is told to them outside the console, once', async () => {
    await call('rung');
    await call('rung');
    expect(await listRung()).toEqual([`${house.instanceId} rung`]);
  });

  it('waits, shows what would be carried out, and goes on once they said yes', async () => {
    expect(await call('one')).toMatchObject({
      kind: 'waiting',
      rule: 'consent',
      reason: 'subscriber is asked before run',
    });
    expect(house.machine.writes).toEqual([]);
    expect(await requests()).toMatchObject([
      { callId: 'one', tool: 'tmux_run_command', params: { target: PANE, command: 'npm test' } },
    ]);
    expect((await answer('one', 'once')).status).toBe(200);
    expect(await requests()).toEqual([]);
    expect(await call('one')).toMatchObject({ kind: 'done' });
    expect(await call('one')).toMatchObject({ kind: 'done' });
    expect(house.machine.writes).toHaveLength(1);
    expect(await call('two')).toMatchObject({ kind: 'waiting' });
  });

  it('that was answered yes is decided anew: a pause since then counts', async () => {
    await call('one');
    await answer('one', 'once');
    await house.change({ change: 'pause' });
    expect(await call('one')).toMatchObject({ kind: 'denied', rule: 'instance' });
    expect(house.machine.writes).toEqual([]);
  });

  it('is denied by a no, for good', async () => {
    await call('one');
    await answer('one', 'deny');
    const denied = { kind: 'denied', rule: 'consent', reason: 'a person said no' };
    expect(await call('one')).toEqual(denied);
    expect(await call('one')).toEqual(denied);
  });

  it('has one answer: the first', async () => {
    await call('one');
    await answer('one', 'deny');
    const second = await answer('one', 'once', { cookie: await signIn() });
    expect(second.body).toEqual({ answer: 'deny' });
  });

  it('answered for this instance is consent from then on, and seen there', async () => {
    await call('one');
    await answer('one', 'instance');
    expect(await call('one')).toMatchObject({ kind: 'done' });
    expect(await call('two')).toMatchObject({ kind: 'done' });
    expect((await readInstance(env, house.instanceId))?.instance.consents.run).toBe('always');
  });

  it('because of the merge policy is asked about each time', async () => {
    await house.change({ change: 'consent', consents: { run: 'always' } });
    const act = { kind: 'publish', command: 'npm publish', target: null } as const;
    house.machine.acts = [{ ...act, uncertain: false }];
    expect(await call('one')).toMatchObject({ kind: 'waiting', rule: 'policy' });
    expect(codeOf(await answer('one', 'instance'))).toBe('bad_request');
    await answer('one', 'once');
    expect(await call('one')).toMatchObject({ kind: 'done' });
  });

  it('is no by itself when nobody answers in time', async () => {
    await call('one');
    await env.DB.prepare('DROP TRIGGER gate_decisions_no_update').run();
    const late = Date.now() - 1;
    await env.DB.prepare('UPDATE gate_decisions SET expires_at = ?').bind(late).run();
    await env.DB.prepare('UPDATE gate_waiting SET expires_at = ?').bind(late).run();
    expect(await requests()).toEqual([]);
    expect(codeOf(await answer('one', 'once'))).toBe('call_not_waiting');
    expect(await call('one')).toMatchObject({ kind: 'denied', reason: 'nobody answered in time' });
    const rows = await env.DB.prepare('SELECT count(*) AS left FROM gate_waiting').first();
    expect(rows).toEqual({ left: 0 });
  });

  it.each([
    ['agreed to and never made', 'once'],
    ['carried out', null],
  ] as const)('is not made again when it was %s long ago', async (_, said) => {
    if (said === null) await house.change({ change: 'consent', consents: { run: 'always' } });
    await call('one');
    if (said !== null) await answer('one', said);
    const writes = house.machine.writes.length;
    await env.DB.prepare('DROP TRIGGER gate_decisions_no_update').run();
    await env.DB.prepare('UPDATE gate_decisions SET at = at - ?')
      .bind(GATE_REPEAT_MS + 1)
      .run();
    expect(await call('one')).toMatchObject({
      kind: 'denied',
      reason: expect.stringMatching(/a day ago/),
    });
    expect(house.machine.writes).toHaveLength(writes);
  });

  it.each([['once'], ['instance'], ['deny']] as const)(
    'that never waited takes no %s',
    async (said) => {
      await house.change({ change: 'consent', consents: { run: 'always' } });
      await call('one');
      expect(codeOf(await answer('one', said))).toBe('call_not_waiting');
      expect(codeOf(await answer('none', said))).toBe('call_not_waiting');
    },
  );

  it('is not answered by another account', async () => {
    await call('one');
    const stranger = { ...SAVER, accountId: z.custom<typeof SAVER.accountId>().parse('acc_other') };
    const input = { instanceId: house.instanceId, callId: 'one', answer: 'once' as const };
    await expect(answerCall(env, stranger, input, Date.now())).rejects.toMatchObject({
      code: 'call_not_waiting',
    });
  });
});

describe('the decisions of an instance', () => {
  it('are told newest first, each explained, with what became of it', async () => {
    await call('one');
    await answer('one', 'once');
    await call('one');
    await house.change({
      change: 'narrow',
      narrowing: { surfaceOptions: { tmux: { backends: [] } } },
    });
    await call('two');
    const { items } = await decisions();
    expect(items.map(({ callId, step, explanation }) => [callId, step, explanation])).toEqual([
      ['two', 0, 'denied: subscriber narrowed backends to none'],
      ['one', 1, 'allowed'],
      ['one', 0, 'waits for a person: subscriber is asked before run'],
    ]);
    expect(items[1]).toMatchObject({ outcome: 'done', actor: { kind: 'agent', id: 'chat' } });
    const { nextCursor } = await decisions('?limit=2');
    expect((await decisions(`?limit=2&cursor=${nextCursor}`)).items).toEqual(items.slice(2));
  });

  it('say by when an answer is needed', async () => {
    const waiting = await call('one');
    const { expiresAt } = z.object({ expiresAt: z.number() }).parse(waiting);
    expect(expiresAt - Date.now()).toBeGreaterThan(GATE_ANSWER_MS - 60_000);
  });
});
