import { describe, expect, test } from 'vitest';
import { SessionSimulator } from '../../../support/session-simulator.ts';
import { ALLOW, REQUEST, kinds } from '../../../support/session-steps.ts';

describe('approvals', () => {
  const asked = () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    return simulator;
  };
  const answer = (simulator: SessionSimulator, given = ALLOW) =>
    simulator.input({ kind: 'answer', requestId: REQUEST.requestId, answer: given });

  test('are answered once: the same answer again is accepted and not written, another is refused', () => {
    const simulator = asked();
    answer(simulator);
    answer(simulator);
    expect(kinds(simulator).filter((kind) => kind === 'answer')).toHaveLength(1);
    answer(simulator, { ...ALLOW, decision: 'deny' });
    expect(simulator.refusals).toEqual(['approval_answered']);
  });

  test('that the engine withdrew or that ran out of time are expired, not unknown', () => {
    const withdrawn = asked();
    withdrawn.event({
      type: 'approval/resolved',
      requestId: REQUEST.requestId,
      resolution: 'withdrawn',
    });
    answer(withdrawn);
    expect(withdrawn.refusals).toEqual(['approval_expired']);
    const late = new SessionSimulator().run();
    late.event({ type: 'approval/requested', request: { ...REQUEST, expiresAt: 5_000 } });
    late.now = 5_001;
    answer(late);
    expect(late.refusals).toEqual(['approval_expired']);
    expect(kinds(late)).not.toContain('answer');
  });

  test('of a process that ended are withdrawn', () => {
    const simulator = asked();
    simulator.exit(1);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    answer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('of a process that nobody can write to cannot be answered', () => {
    const simulator = asked();
    simulator.restart('unreachable');
    answer(simulator);
    expect(simulator.refusals).toEqual(['approval_expired']);
    expect(simulator.terminating).toBe(true);
  });
});
