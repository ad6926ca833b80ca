import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { requestId } from '../../../protocol/ids.ts';
import { nextWakeAt, type SessionState } from '../../../runner/sessions/session-state.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { ALLOW, REQUEST } from '../../support/session-steps.ts';
import { CONFIG, SessionSimulator } from '../../support/session-simulator.ts';

const HOUR = 3_600_000;
const launch = aLaunch({ answerMs: 2 * HOUR, noOutputMs: 60_000 });

/** A session whose engine asked at time 1000, and may be answered for two hours. */
function asking(over: Partial<ApprovalRequest> = {}): SessionSimulator {
  const simulator = new SessionSimulator(1, launch).run();
  simulator.event({ type: 'approval/requested', request: { ...REQUEST, ...over } });
  return simulator;
}

const answer = (simulator: SessionSimulator, asked = REQUEST.requestId) =>
  simulator.input({ kind: 'answer', requestId: asked, answer: ALLOW });
const ends = (simulator: SessionSimulator) =>
  simulator.ofType('approval/resolved').map(({ resolution }) => resolution);
const answers = (simulator: SessionSimulator) =>
  simulator.effects.flatMap((effect) => (effect.kind === 'answer' ? [effect.answer.decision] : []));

describe('an approval that nobody answers', () => {
  test('says from the beginning until when it waits, and a session waits for that alone', () => {
    const simulator = asking();
    const [told] = simulator.ofType('approval/requested');
    expect(told?.request.expiresAt).toBe(simulator.now + 2 * HOUR);
    expect(nextWakeAt(simulator.state, CONFIG)).toBe(simulator.now + 2 * HOUR);
  });

  test('keeps the time of an engine that has one of its own', () => {
    const [told] = asking({ expiresAt: 5_000 }).ofType('approval/requested');
    expect(told?.request.expiresAt).toBe(5_000);
  });

  test('is denied to the engine once, shown as expired, and the session goes on', () => {
    const simulator = asking();
    simulator.now += 2 * HOUR - 1;
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(ends(simulator)).toEqual([]);
    simulator.wake();
    simulator.input({ kind: 'wake', stderrTail: [] });
    expect(ends(simulator)).toEqual(['expired']);
    expect(answers(simulator)).toEqual(['deny']);
    expect(simulator.ofType('notice/raised')).toMatchObject([
      { code: 'approval_expired', message: expect.stringContaining('for 2 hours') },
    ]);
    expect(simulator.view).toMatchObject({
      state: 'working',
      pendingApprovals: [],
      approvalExpiredAt: simulator.now,
    });
  });

  test('has ended when the engine confirms the denial: that is no second end', () => {
    const simulator = asking();
    simulator.wake();
    simulator.event({
      type: 'approval/resolved',
      requestId: REQUEST.requestId,
      resolution: 'denied',
    });
    expect(ends(simulator)).toEqual(['expired']);
  });

  test('is told expired to an answer that comes late, and nothing is written (A1)', () => {
    const simulator = asking();
    simulator.wake();
    answer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
    expect(answers(simulator)).toEqual(['deny']);
  });

  test('starts the time in which the engine may be silent anew', () => {
    const simulator = asking();
    simulator.wake();
    expect(nextWakeAt(simulator.state, CONFIG)).toBe(simulator.now + 60_000);
  });

  test('expires over a restart of the runner, which counts the time that it was away', () => {
    const simulator = asking();
    simulator.now += 9 * HOUR;
    simulator.restart();
    expect(nextWakeAt(simulator.state, CONFIG)).toBeLessThan(simulator.now);
    simulator.wake();
    expect(ends(simulator)).toEqual(['expired']);
    expect(answers(simulator)).toEqual(['deny']);
  });

  test('leaves one that has time, or an answer, as it is', () => {
    const simulator = asking();
    const other = { ...REQUEST, requestId: requestId.parse('apr_other') };
    simulator.now += HOUR;
    simulator.event({ type: 'approval/requested', request: other });
    const third = { ...REQUEST, requestId: requestId.parse('apr_third'), expiresAt: simulator.now };
    simulator.event({ type: 'approval/requested', request: third });
    answer(simulator, third.requestId);
    simulator.wake();
    expect(ends(simulator)).toEqual(['expired']);
    const held = (state: SessionState) => state.pending.map(({ request }) => request.requestId);
    expect(held(simulator.state)).toEqual([other.requestId, third.requestId]);
    expect(nextWakeAt(simulator.state, CONFIG)).toBe(simulator.now + HOUR);
  });
});
