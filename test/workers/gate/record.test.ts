import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GATE_RATE } from '../../../protocol/gate.ts';
import {
  accountId,
  instanceId,
  type InstanceId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  operatorId,
  runnerId,
} from '../../../protocol/ids.ts';
import { AGENT_PERMISSION } from '../../../protocol/pane-question.ts';
import { terminalCall } from '../../../protocol/terminal.ts';
import { listGateDecisions, listRequests } from '../../../workers/gate/read.ts';
import {
  appendAnswer,
  appendDecision,
  appendOutcome,
  countCalls,
  type DecisionRow,
  readAnswer,
  readDecision,
} from '../../../workers/gate/record.ts';
import { startEmpty } from '../support/http.ts';
import { database } from '../support/ledger.ts';
import { PANE } from '../support/operators.ts';

/** Nothing is taken off these records: each test has a time and instances of its own. */
let nowMs = 1_700_000_000_000;
let instance = instanceId.parse('ins_0');
let other = instanceId.parse('ins_0b');
const STRANGER = accountId.parse('acc_other');

const aRow = (over: Partial<DecisionRow> = {}): DecisionRow => ({
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  instanceId: instance,
  callId: 'one',
  step: 0,
  operatorId: operatorId.parse('opr_watcher'),
  runnerId: runnerId.parse('run_1'),
  tool: 'tmux_run_command',
  target: PANE,
  at: nowMs,
  actor: { kind: 'agent', id: 'chat' },
  definitionVersion: 1,
  risk: 'run',
  callSha256: 'a',
  callBytes: 1,
  effect: 'allow',
  rule: null,
  reason: '',
  acts: [],
  aiCli: null,
  expiresAt: null,
  seenSha256: null,
  ...over,
});
const CALL = terminalCall.parse({
  tool: 'tmux_run_command',
  params: { target: PANE, command: 'npm test' },
});

/** Puts a call on record that waits for a person. */
async function wait(callId: string, over: Partial<DecisionRow> = {}) {
  const rule = 'consent' as const;
  const expiresAt = nowMs + 1_000;
  const row = aRow({ callId, effect: 'ask', rule, reason: 'asked', expiresAt, ...over });
  const { accountId: account, actorId, instanceId: of } = row;
  const waiting = { accountId: account, actorId, instanceId: of, callId, call: CALL };
  await appendDecision(database(), row, { ...waiting, expiresAt: row.expiresAt ?? 0 });
  return row;
}
/** The calls whose content is kept for a person, by name. */
const shown = async () =>
  (
    await env.DB.prepare('SELECT call_id FROM gate_waiting WHERE instance_id = ? ORDER BY call_id')
      .bind(instance)
      .all<{ call_id: string }>()
  ).results.map((row) => row.call_id);
const say = (callId: string, answer: 'once' | 'deny', at = nowMs) =>
  appendAnswer(database(), {
    accountId: LOCAL_ACCOUNT,
    actorId: LOCAL_ACTOR,
    instanceId: instance,
    callId,
    answer,
    channel: 'console',
    at,
  });
const end = (callId: string, status: 'done' | 'refused' | 'unknown', code: string | null = null) =>
  appendOutcome(
    database(),
    {
      accountId: LOCAL_ACCOUNT,
      actorId: LOCAL_ACTOR,
      instanceId: instance,
      callId,
      status,
      code,
      at: nowMs,
    },
    null,
  );
const told = async (account = LOCAL_ACCOUNT) =>
  (await listGateDecisions(database(), account, instance, { limit: 50 })).items;
const waitingNow = async (atMs: number, of?: InstanceId) =>
  (await listRequests(database(), LOCAL_ACCOUNT, atMs, of)).map(({ callId }) => callId);

beforeAll(startEmpty);
beforeEach(() => {
  nowMs += 1_000_000;
  instance = instanceId.parse(`ins_${nowMs}`);
  other = instanceId.parse(`ins_${nowMs}b`);
});

describe('the record of a decision', () => {
  it('keeps the first of two that were taken at once', async () => {
    const denied = aRow({ effect: 'deny', rule: 'rate', reason: 'too many' });
    const both = await Promise.all(
      [aRow(), denied].map((row) => appendDecision(database(), row, null)),
    );
    expect(both[0]).toEqual(both[1]);
    expect(await told()).toHaveLength(1);
  });

  it('answers the last step of a call, and nothing for one that is unknown', async () => {
    await wait('one');
    await appendDecision(database(), aRow({ step: 1, at: nowMs + 5 }), null);
    const call = { instanceId: instance, callId: 'one' };
    expect(await readDecision(database(), call)).toMatchObject({ step: 1, effect: 'allow' });
    expect(await readDecision(database(), { ...call, instanceId: other })).toBeNull();
  });

  it('forgets what a person was shown as soon as it is decided, and of no other call', async () => {
    await wait('one');
    await wait('two');
    await appendDecision(database(), aRow({ step: 1, effect: 'deny' }), null);
    const { results } = await env.DB.prepare(
      'SELECT call_id, call FROM gate_waiting WHERE instance_id = ?',
    )
      .bind(instance)
      .all();
    expect(results).toEqual([{ call_id: 'two', call: JSON.stringify(CALL) }]);
  });

  it.each(['once', 'deny'] as const)('forgets it with their %s', async (said) => {
    await wait('one');
    await wait('two');
    await say('one', said);
    expect(await shown()).toEqual(['two']);
  });

  it('forgets what nobody answered in time as soon as anything else waits', async () => {
    await wait('late', { at: nowMs - 9, expiresAt: nowMs - 1 });
    await wait('in time', { at: nowMs - 9, expiresAt: nowMs + 1 });
    await wait('next');
    expect(await shown()).toEqual(['in time', 'next']);
  });

  it('keeps the first word of a person', async () => {
    await wait('one');
    expect(await say('one', 'deny')).toBe('deny');
    expect(await say('one', 'once')).toBe('deny');
    expect(await readAnswer(database(), { instanceId: other, callId: 'one' })).toBeNull();
  });
});

describe('the calls that count for the rate', () => {
  it('are those of the last window, whatever was decided, each once', async () => {
    const at = (callId: string, agoMs: number, over: Partial<DecisionRow> = {}) =>
      appendDecision(database(), aRow({ callId, at: nowMs - agoMs, ...over }), null);
    await at('now', 0);
    await at('denied', 1, { effect: 'deny' });
    await at('last', GATE_RATE.windowMs - 1);
    await at('over', GATE_RATE.windowMs);
    await at('now', 0, { step: 1 });
    await at('of another', 0, { instanceId: other });
    await at('question', 0, { tool: AGENT_PERMISSION, effect: 'ask', rule: 'agent' });
    await at('forbidden', 0, { tool: AGENT_PERMISSION, effect: 'deny', rule: 'policy' });
    const next = { instanceId: instance, callId: 'next' };
    expect(await countCalls(env, next, nowMs)).toBe(3);
    expect(await countCalls(env, next, nowMs + GATE_RATE.windowMs)).toBe(0);
    expect(await countCalls(env, { ...next, callId: 'denied' }, nowMs)).toBe(2);
  });
});

describe('what is told of the calls of an instance', () => {
  it('says the most that is known of what became of one', async () => {
    await appendDecision(database(), aRow(), null);
    expect(await told()).toMatchObject([{ outcome: null, code: null }]);
    await end('one', 'unknown');
    expect(await told()).toMatchObject([{ outcome: 'unknown' }]);
    await end('one', 'done');
    expect(await told()).toMatchObject([{ outcome: 'done', code: null }]);
  });

  it('says with which code the machine refused', async () => {
    await appendDecision(database(), aRow(), null);
    await end('one', 'refused', 'terminal_busy');
    await end('another', 'done');
    expect(await told()).toMatchObject([{ outcome: 'refused', code: 'terminal_busy' }]);
  });

  it('says it with the step that allowed it, and not with the one that asked', async () => {
    await wait('one');
    await appendDecision(database(), aRow({ step: 1, at: nowMs + 1 }), null);
    await end('one', 'done');
    expect((await told()).map(({ step, outcome }) => [step, outcome])).toEqual([
      [1, 'done'],
      [0, null],
    ]);
  });

  it('is told to its own account, and goes on from a place to the end', async () => {
    for (const callId of ['a', 'b', 'c']) await appendDecision(database(), aRow({ callId }), null);
    expect(await told(STRANGER)).toEqual([]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listGateDecisions(database(), LOCAL_ACCOUNT, instance, {
        limit: 2,
        cursor,
      });
      seen.push(...page.items.map(({ callId }) => callId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['c', 'b', 'a']);
  });
});

describe('the calls that wait for a person', () => {
  it('are told oldest first, until they are answered or late', async () => {
    await wait('late', { at: nowMs - 9, expiresAt: nowMs });
    await wait('newer', { at: nowMs - 1 });
    await wait('older', { at: nowMs - 2 });
    await wait('answered', { at: nowMs - 3 });
    await say('answered', 'once');
    expect(await waitingNow(nowMs)).toEqual(['older', 'newer']);
    expect(await waitingNow(nowMs - 1)).toEqual(['late', 'older', 'newer']);
    expect(await waitingNow(nowMs + 1_000)).toEqual([]);
  });

  it('are told of one instance alone where that is asked, and to no other account', async () => {
    await wait('mine');
    await wait('other', { instanceId: other });
    await wait('theirs', { accountId: STRANGER });
    expect((await waitingNow(nowMs)).toSorted()).toEqual(['mine', 'other']);
    expect(await waitingNow(nowMs, other)).toEqual(['other']);
  });
});
