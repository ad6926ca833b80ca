import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WakeTimer } from '../../../runner/sessions/wake-timer.ts';

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => vi.useRealTimers());

const timerOf = () => {
  const woken: number[] = [];
  const timer = new WakeTimer(Date.now, () => woken.push(Date.now()));
  return { timer, woken };
};

describe('a wake timer', () => {
  test('wakes once at its moment', () => {
    const { timer, woken } = timerOf();
    timer.set(1_500);
    vi.advanceTimersByTime(499);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(woken).toEqual([1_500]);
  });

  test('wakes at once for a moment that has passed', () => {
    const { timer, woken } = timerOf();
    timer.set(1);
    vi.advanceTimersByTime(0);
    expect(woken).toEqual([1_000]);
  });

  test('knows only the latest moment', () => {
    const { timer, woken } = timerOf();
    timer.set(1_200);
    timer.set(1_900);
    vi.advanceTimersByTime(10_000);
    expect(woken).toEqual([1_900]);
    timer.set(12_000);
    timer.set(null);
    vi.advanceTimersByTime(10_000);
    expect(woken).toEqual([1_900]);
  });

  test('looks at the clock again, so that the sleep of a machine counts, and no time is too long', () => {
    const { timer, woken } = timerOf();
    const month = 31 * 24 * 3_600_000;
    timer.set(1_000 + month);
    vi.setSystemTime(1_000 + month);
    vi.advanceTimersByTime(60_001);
    expect(woken).toHaveLength(1);
  });

  test('can be set to the same moment again once it has woken', () => {
    const { timer, woken } = timerOf();
    timer.set(1_200);
    timer.set(1_200);
    vi.advanceTimersByTime(300);
    timer.set(1_200);
    vi.advanceTimersByTime(0);
    expect(woken).toEqual([1_200, 1_300]);
  });
});
