import { describe, expect, it } from 'vitest';
import { percentile, summarise } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('a percentile', () => {
  it('is the value at its rank, whatever the order of the samples', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
  });

  it('of one sample is that sample', () => {
    expect(summarise([7])).toEqual({ samples: 1, p50: 7, p95: 7, p99: 7, max: 7 });
  });

  it('of nothing is refused', () => {
    expect(() => percentile([], 0.5)).toThrow('no samples');
  });
});
