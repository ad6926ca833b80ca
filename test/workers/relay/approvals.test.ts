import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { approvalAnswer } from '../../../protocol/approval.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { requestId } from '../../../protocol/ids.ts';
import { type ApprovalState, decideAnswer, sameAnswer } from '../../../workers/relay/approvals.ts';
import { ask, codeOf } from '../support/http.ts';
import {
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const REQUEST = requestId.parse('apr_1');
const ALLOW = approvalAnswer.parse({ decision: 'allow' });
const DENY = approvalAnswer.parse({ decision: 'deny', message: 'not this' });

function requested(expiresAt: number | null = null): EngineEvent {
  const request = {
    requestId: REQUEST,
    turnId: null,
    toolId: 'tool-1',
    kind: 'tool' as const,
    toolName: 'Bash',
    input: { text: 'git push', truncated: null },
    summary: 'git push',
    acts: ['push' as const],
    questions: [],
    suggestions: [],
    requestedAt: 1,
    expiresAt,
  };
  return { type: 'approval/requested', request };
}
const resolved = (resolution: 'allowed' | 'denied' | 'expired' | 'withdrawn'): EngineEvent => ({
  type: 'approval/resolved',
  requestId: REQUEST,
  resolution,
});

describe('an answer to an approval', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
    await session.peer.stored(session.sessionId, 1, [...readyEvents(session.turnId), requested()]);
  });

  const answer = (body: unknown, id: string = REQUEST) =>
    ask('POST', `/v1/sessions/${session.sessionId}/approvals/${id}`, { bearer: session.cli, body });
  const commands = () => session.peer.frames.filter((frame) => frame.type === 'command').length;

  it('reaches the engine, and is in the record with who gave it and where', async () => {
    expect((await answer(ALLOW)).status).toBe(202);
    const { command } = await session.peer.next('command');
    expect(command).toMatchObject({
      method: 'session/answer',
      params: { requestId: REQUEST, answer: ALLOW },
    });
    expect((await readSession(session.cli, session.sessionId)).view.answeredRequestIds).toEqual([
      REQUEST,
    ]);
  });

  it('may be given again while it is under way, and is told once', async () => {
    await answer(ALLOW);
    await session.peer.next('command');
    expect((await answer(ALLOW)).status).toBe(202);
    expect(commands()).toBe(2);
  });

  it('stands against a different one', async () => {
    await answer(ALLOW);
    expect(codeOf(await answer(DENY))).toBe('approval_answered');
  });

  it('is told again when it did not arrive', async () => {
    await answer(ALLOW);
    const { command } = await session.peer.next('command');
    session.peer.result(command.id, { ok: false, code: 'unknown_outcome', message: 'restarted' });
    await until(
      async () =>
        (await readSession(session.cli, session.sessionId)).view.answeredRequestIds.length === 0,
      'it to be open',
    );
    expect((await answer(ALLOW)).status).toBe(202);
    expect((await session.peer.next('command')).command).toMatchObject({
      method: 'session/answer',
    });
  });

  it('may be another one after the first certainly did not arrive', async () => {
    await answer(ALLOW);
    const { command } = await session.peer.next('command');
    session.peer.result(command.id, { ok: false, code: 'expired', message: 'too late' });
    await until(
      async () =>
        (await readSession(session.cli, session.sessionId)).view.answeredRequestIds.length === 0,
      'it to be open',
    );
    expect((await answer(DENY)).status).toBe(202);
  });

  it('is fine when repeated after the engine took it', async () => {
    await answer(ALLOW);
    await session.peer.stored(session.sessionId, 7, [resolved('allowed')]);
    expect((await answer(ALLOW)).status).toBe(202);
    expect(codeOf(await answer(DENY))).toBe('approval_answered');
  });

  it.each(['expired', 'withdrawn', 'denied'] as const)(
    'comes too late once it was %s, and nothing runs (A1)',
    async (end) => {
      await session.peer.stored(session.sessionId, 7, [resolved(end)]);
      const late = await answer(ALLOW);
      expect([late.status, codeOf(late)]).toEqual([410, 'approval_expired']);
      expect(commands()).toBe(1);
    },
  );

  it('comes too late once its turn is over, though nobody said what became of it (A1)', async () => {
    await session.peer.stored(session.sessionId, 7, [turnEnded(session.turnId)]);
    expect(codeOf(await answer(ALLOW))).toBe('approval_expired');
  });

  it('is told from one to a request that never was', async () => {
    expect(codeOf(await answer(ALLOW, 'apr_2'))).toBe('request_not_found');
  });
});

describe('what an answer does, decided', () => {
  const record = (
    state: ApprovalState,
    answer: typeof ALLOW | null = null,
    expiresAt: number | null = null,
  ) => ({
    requestId: REQUEST,
    state,
    expiresAt,
    answer,
  });

  it('is nothing after the time at which the engine stops waiting', () => {
    expect(decideAnswer(record('pending', null, 10), ALLOW, false, 10)).toEqual({
      kind: 'refused',
      code: 'approval_expired',
    });
    expect(decideAnswer(record('pending', null, 10), ALLOW, false, 9)).toEqual({ kind: 'decide' });
  });

  it('never reaches an engine that no longer waits, whatever was answered before', () => {
    const states = fc.constantFrom<ApprovalState>('allowed', 'denied', 'expired', 'withdrawn');
    const answers = fc.constantFrom(ALLOW, DENY);
    fc.assert(
      fc.property(
        states,
        fc.option(answers),
        answers,
        fc.boolean(),
        (state, before, now, underway) => {
          const { kind } = decideAnswer(record(state, before), now, underway, 0);
          expect(['standing', 'refused']).toContain(kind);
        },
      ),
    );
  });

  it('compares answers by what they say, not by the order of their keys', () => {
    const left = approvalAnswer.parse({ decision: 'allow', answers: { a: '1', b: '2' } });
    const right = approvalAnswer.parse({ answers: { b: '2', a: '1' }, decision: 'allow' });
    expect([sameAnswer(left, right), sameAnswer(left, ALLOW)]).toEqual([true, false]);
  });
});
