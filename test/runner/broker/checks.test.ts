import { describe, expect, it } from 'vitest';
import { checksOf, exitCodeOf } from '../../../runner/broker/checks.ts';
import { decidePace } from '../../../runner/broker/pace.ts';

const run = (name: string, status: string, conclusion: string | null = null) => ({
  name,
  status,
  conclusion,
});

describe('the checks of a commit', () => {
  it('are what apps report and the older statuses, those that failed first', () => {
    const checks = checksOf(
      [run('build', 'completed', 'success'), run('test', 'completed', 'timed_out')],
      [{ context: 'ci/old', state: 'pending' }],
    );
    expect(checks.map(({ name, state, bucket }) => [name, state, bucket])).toEqual([
      ['test', 'TIMED_OUT', 'fail'],
      ['ci/old', 'PENDING', 'pending'],
      ['build', 'SUCCESS', 'pass'],
    ]);
  });

  it.each([
    ['success', 0],
    ['neutral', 0],
    ['skipped', 0],
    ['cancelled', 0],
    ['failure', 1],
    ['action_required', 1],
    ['startup_failure', 1],
    ['stale', 8],
    ['something new', 8],
  ])('end as gh ends where one is %s', (conclusion, code) => {
    expect(exitCodeOf(checksOf([run('x', 'completed', conclusion)], []))).toBe(code);
  });

  it('are not taken for passed while one goes on, and failed whatever else goes on', () => {
    const going = [run('a', 'completed', 'success'), run('b', 'in_progress')];
    expect(exitCodeOf(checksOf(going, []))).toBe(8);
    expect(exitCodeOf(checksOf([...going, run('c', 'completed', 'failure')], []))).toBe(1);
  });
});

describe('the pace of a session', () => {
  it('lets as many through as it says within a time, and says when the next may be', () => {
    const pace = { most: 2, withinMs: 10_000 };
    const first = decidePace([], 0, pace);
    const second = decidePace(first.ok ? first.times : [], 4_000, pace);
    const times = second.ok ? second.times : [];
    expect(times).toEqual([0, 4_000]);
    expect(decidePace(times, 9_000, pace)).toEqual({ ok: false, waitSeconds: 1 });
    expect(decidePace(times, 10_000, pace)).toEqual({ ok: true, times: [4_000, 10_000] });
  });
});
