import { describe, expect, test } from 'vitest';
import {
  SESSION_TIMINGS,
  hasProcess,
  nextWakeAt,
  type Phase,
} from '../../../runner/sessions/session-state.ts';
import { SessionSimulator } from '../../support/session-simulator.ts';

const ENDING = { why: 'stop' } as const;
const STATE = new SessionSimulator(null).state;
const wakeOf = (phase: Phase) => nextWakeAt({ ...STATE, phase }, { idleMs: 1_000 });

const PHASES: readonly (readonly [phase: Phase, process: boolean, wakesAt: number | null])[] = [
  [{ kind: 'preparing' }, false, null],
  [{ kind: 'backoff', untilMs: 50 }, false, 50],
  [{ kind: 'spawning' }, true, null],
  [{ kind: 'booting', stage: 'spawned', deadlineAt: null }, true, null],
  [{ kind: 'booting', stage: 'bootstrap_submitted', deadlineAt: 60 }, true, 60],
  [{ kind: 'ready', idleSince: null }, true, null],
  [{ kind: 'ready', idleSince: 70 }, true, 1_070],
  [{ kind: 'interrupting', ending: ENDING, deadlineAt: 80 }, true, 80],
  [{ kind: 'ending', ending: ENDING }, true, null],
  [{ kind: 'resting' }, false, null],
  [{ kind: 'over', how: 'failed' }, false, null],
  [{ kind: 'over', how: 'ended' }, false, null],
];

describe('a session in the phase', () => {
  test.each(PHASES)('%j may have a process: %s', (phase, process) => {
    expect(hasProcess(phase)).toBe(process);
  });

  test.each(PHASES)('%j (process: %s) wants to be woken at %s', (phase, _process, wakesAt) => {
    expect(wakeOf(phase)).toBe(wakesAt);
  });
});

describe('the times of the product', () => {
  test('give an engine long enough to start, and not for ever', () => {
    expect(SESSION_TIMINGS.bootstrapMs).toBeGreaterThanOrEqual(30_000);
    expect(SESSION_TIMINGS.bootstrapMs).toBeLessThanOrEqual(120_000);
  });

  test('try a start again a bounded number of times, each later than the one before', () => {
    const delays = SESSION_TIMINGS.retryDelaysMs;
    expect(delays.length).toBeGreaterThan(0);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
  });
});
