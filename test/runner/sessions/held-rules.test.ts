import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer } from '../../../protocol/approval.ts';
import type { EventOf } from '../../../protocol/engine-event.ts';
import { requestId as parseRequestId } from '../../../protocol/ids.ts';
import type { GatePush } from '../../../runner/gate/gate-session.ts';
import { HELD_PUSH_MS } from '../../../runner/gate/held.ts';
import type { PushOutcome } from '../../../runner/gate/receive.ts';
import { nextWakeAt } from '../../../runner/sessions/session-state.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { ALLOW, anIdleSession, DENY } from '../../support/session-steps.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const MAIN = { ref: 'refs/heads/main', before: B, after: A, kind: 'push' } as const;
const DONE: PushOutcome = { ...MAIN, outcome: 'done', by: 'forge', reason: null };

function aHeldPush(number = 1, over: Partial<typeof MAIN> = {}): GatePush {
  const ref = { ...MAIN, ...over };
  const requestId = parseRequestId.parse(`apr_${String(number).padStart(32, '0')}`);
  return {
    pushId: `push-${number}`,
    outcomes: [{ ...ref, outcome: 'not_done', by: 'policy', reason: 'it waits', asks: true }],
    held: {
      requestId,
      pushId: `push-${number}`,
      refs: [{ ...ref, index: 0, reason: 'main is protected' }],
      summary: 'push 1 commit to main',
      text: '1 commit to main: main is protected.',
    },
  };
}

/** A session at rest that has a push kept for an answer. */
function withHeld(simulator = anIdleSession(new SessionSimulator()), push = aHeldPush()) {
  simulator.input({ kind: 'pushed', push });
  return { simulator, requestId: push.held!.requestId };
}
const answer = (simulator: SessionSimulator, id: string, given: ApprovalAnswer) =>
  simulator.input({ kind: 'answer', requestId: parseRequestId.parse(id), answer: given });
const eventsOf = <T extends 'act/ended' | 'approval/requested' | 'approval/resolved'>(
  simulator: SessionSimulator,
  type: T,
) => simulator.events.filter((event): event is EventOf<T> => event.type === type);
const endings = (simulator: SessionSimulator) =>
  eventsOf(simulator, 'approval/resolved').map(({ resolution }) => resolution);
const notices = (simulator: SessionSimulator) =>
  simulator.events.flatMap((event) => (event.type === 'notice/raised' ? [event.code] : []));
const settlements = (simulator: SessionSimulator) =>
  simulator.effects.filter(({ kind }) => kind === 'settlePush');
const lastSweep = (simulator: SessionSimulator) =>
  simulator.effects.findLast((effect) => effect.kind === 'keepPushes')?.requestIds;

describe('a push that is kept for an answer', () => {
  it('is asked about as what it is, and holds the session up in nothing', () => {
    const { simulator, requestId } = withHeld();
    expect(eventsOf(simulator, 'approval/requested')).toMatchObject([
      { request: { requestId, kind: 'push', acts: ['push'], summary: 'push 1 commit to main' } },
    ]);
    expect(simulator.view).toMatchObject({ state: 'idle', pendingApprovals: [{ requestId }] });
    expect(eventsOf(simulator, 'act/ended')).toMatchObject([{ outcome: 'not_done' }]);
    expect(lastSweep(simulator)).toEqual([requestId]);
  });

  it('outlives its turn, its engine, its session and a restart of the runner', () => {
    const working = new SessionSimulator();
    working.run();
    const { simulator, requestId } = withHeld(working);
    expect(simulator.view.state).toBe('working');
    simulator.endTurn();
    simulator.broughtBack();
    simulator.input({ kind: 'stop' });
    simulator.exit();
    expect(simulator.view).toMatchObject({ state: 'stopped', pendingApprovals: [{ requestId }] });
    simulator.input({ kind: 'adopt', process: 'gone' });
    expect(lastSweep(simulator)).toEqual([requestId]);
    answer(simulator, requestId, ALLOW);
    expect(settlements(simulator)).toHaveLength(1);
  });

  it('goes through once when it is allowed, and its act ends anew', () => {
    const { simulator, requestId } = withHeld();
    answer(simulator, requestId, ALLOW);
    answer(simulator, requestId, ALLOW);
    answer(simulator, requestId, DENY);
    expect(settlements(simulator)).toMatchObject([{ held: { requestId, refs: [MAIN] } }]);
    expect(simulator.refusals).toEqual(['approval_answered']);
    expect(endings(simulator)).toEqual([]);
    simulator.input({ kind: 'pushSettled', requestId, outcomes: [DONE] });
    const [first, last] = eventsOf(simulator, 'act/ended');
    expect(last).toMatchObject({ actId: first?.actId, outcome: 'done', by: 'forge' });
    expect(endings(simulator)).toEqual(['allowed']);
    expect(simulator.view.pendingApprovals).toEqual([]);
    expect(lastSweep(simulator)).toEqual([]);
    answer(simulator, requestId, ALLOW);
    expect(simulator.refusals.at(-1)).toBe('approval_expired');
  });

  it('is no move that nobody told of, when the witness looks after its turn', () => {
    const { simulator, requestId } = withHeld();
    simulator.state = { ...simulator.state, watched: { since: null, claims: [] } };
    answer(simulator, requestId, ALLOW);
    simulator.input({ kind: 'pushSettled', requestId, outcomes: [DONE] });
    expect(simulator.state.watched?.claims).toMatchObject([
      { gate: true, move: { ref: MAIN.ref, after: A }, outcome: 'done' },
    ]);
  });

  it('is passed on again after a restart in the middle of it', () => {
    const { simulator, requestId } = withHeld();
    answer(simulator, requestId, ALLOW);
    simulator.input({ kind: 'adopt', process: 'gone' });
    expect(settlements(simulator)).toHaveLength(2);
  });

  it('that was allowed and could not be done says why', () => {
    const { simulator, requestId } = withHeld();
    answer(simulator, requestId, ALLOW);
    const moved: PushOutcome = { ...DONE, outcome: 'not_done', by: 'policy', reason: 'it moved' };
    simulator.input({ kind: 'pushSettled', requestId, outcomes: [moved] });
    expect(notices(simulator)).toContain('push_not_done');
    expect(eventsOf(simulator, 'act/ended').at(-1)).toMatchObject({ reason: 'it moved' });
  });

  it('is deleted when it is denied, and its act says by whom and why', () => {
    const { simulator, requestId } = withHeld();
    answer(simulator, requestId, { ...DENY, message: 'not on a Friday' });
    expect(endings(simulator)).toEqual(['denied']);
    expect(settlements(simulator)).toEqual([]);
    expect(lastSweep(simulator)).toEqual([]);
    expect(eventsOf(simulator, 'act/ended').at(-1)).toMatchObject({
      outcome: 'not_done',
      reason: 'a person denied it: not on a Friday',
    });
  });

  it('expires visibly, although nothing else of the session ever happens', () => {
    const { simulator, requestId } = withHeld();
    simulator.input({ kind: 'stop' });
    simulator.exit();
    const dueAt = nextWakeAt(simulator.state, CONFIG);
    expect(dueAt).toBe(simulator.now + HELD_PUSH_MS);
    simulator.now = dueAt ?? 0;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(endings(simulator)).toEqual(['expired']);
    expect(notices(simulator)).toContain('push_expired');
    expect(lastSweep(simulator)).toEqual([]);
    answer(simulator, requestId, ALLOW);
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  it('gives way to a later push to the same branch, and to no other', () => {
    const { simulator } = withHeld();
    withHeld(simulator, aHeldPush(2, { ref: 'refs/heads/release/1' as typeof MAIN.ref }));
    expect(endings(simulator)).toEqual([]);
    const { requestId } = withHeld(simulator, aHeldPush(3, { after: 'c'.repeat(40) }));
    expect(endings(simulator)).toEqual(['withdrawn']);
    expect(simulator.state.heldPushes).toHaveLength(2);
    expect(lastSweep(simulator)).toContain(requestId);
  });

  it('is withdrawn with the checkout in which it is kept', () => {
    const { simulator } = withHeld();
    simulator.input({ kind: 'checkoutGone', sealed: true });
    expect(endings(simulator)).toEqual(['withdrawn']);
  });

  it('is one act with its claim, also when it is answered before the claim is read', () => {
    const simulator = new SessionSimulator();
    simulator.run();
    const { requestId } = withHeld(simulator);
    answer(simulator, requestId, ALLOW);
    simulator.input({ kind: 'pushSettled', requestId, outcomes: [DONE] });
    expect(eventsOf(simulator, 'act/ended')).toEqual([]);
    simulator.endTurn();
    expect(eventsOf(simulator, 'act/ended')).toMatchObject([{ outcome: 'done' }]);
    expect(simulator.view.turns[0]).toMatchObject({ turnId: turnNumber(1), acts: 1 });
  });
});
