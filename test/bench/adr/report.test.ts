import { describe, expect, it } from 'vitest';
import { describeAdrBench, median } from './report.ts';

describe('the report of the check against dependency-cruiser', () => {
  it('gives every run, the median, and the ratio to the last row', () => {
    const text = describeAdrBench(10_000, 2, [
      { name: 'ours', ms: [1000, 3000, 2000], median: 2000 },
      { name: 'theirs', ms: [8000, 8000, 8000], median: 8000 },
    ]);
    expect(text).toContain('10,000 TypeScript files on 2 processors');
    expect(text).toMatch(/ours\s+2\.00 s\s+\(\s+1\.00 s\s+3\.00 s\s+2\.00 s \)\s+ratio 0\.250/);
    expect(text).toMatch(/theirs.*ratio 1\.000/);
  });
  it('takes the middle of the runs, and not the one in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2);
  });
});
