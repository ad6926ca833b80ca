import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../console/lib/use-now.ts';

beforeEach(() => void vi.useFakeTimers({ now: 10_000 }));
afterEach(() => void vi.useRealTimers());

describe('a clock that a page watches', () => {
  it('gives one drawing one time, also while nobody watches yet', () => {
    const clock = createClock(1_000);
    const first = clock.read();
    vi.setSystemTime(10_001);
    expect(clock.read()).toBe(first);
  });

  it('is not older than its interval when somebody looks again', () => {
    const clock = createClock(1_000);
    vi.setSystemTime(70_000);
    expect(clock.read()).toBe(70_000);
  });

  it('wakes its watchers at each interval, and rests without any', () => {
    const clock = createClock(1_000);
    const wake = vi.fn();
    const leave = clock.subscribe(wake);
    vi.advanceTimersByTime(3_000);
    expect(wake).toHaveBeenCalledTimes(3);
    expect(clock.read()).toBe(13_000);
    leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});
