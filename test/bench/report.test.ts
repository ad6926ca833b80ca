import { describe, expect, it } from 'vitest';
import { describeReport } from './report.ts';
import { summarise } from './statistics.ts';

describe('the report', () => {
  it('says over how many samples each figure is, and what is left without the baseline', () => {
    const text = describeReport({
      latency: [
        {
          content: 'events',
          perSecond: 200,
          rounds: 10,
          pilothouse: summarise([3, 3, 3]),
          bare: summarise([1, 1, 1]),
        },
      ],
      burst: [],
      memory: [],
    });
    expect(text).toContain('200/s: 3 samples each, in 10 turns');
    expect(text).toMatch(/difference\s+2\.00 ms/);
  });

  it('gives throughput as a ratio to the baseline, with every run', () => {
    const text = describeReport({
      latency: [],
      burst: [
        {
          content: 'deltas',
          count: 100_000,
          pilothouse: { perSecond: 10_000, runs: [9_000, 10_000, 11_000] },
          bare: { perSecond: 40_000, runs: [40_000] },
        },
      ],
      memory: [],
    });
    expect(text).toContain('Burst of 100,000 deltas, median of 3');
    expect(text).toMatch(/10,000\/s \(\s+9,000\/s\s+10,000\/s\s+11,000\/s \)/);
    expect(text).toMatch(/ratio\s+0\.250/);
  });

  it('puts memory with sessions beside memory without', () => {
    const megabyte = 1024 * 1024;
    const text = describeReport({
      latency: [],
      burst: [],
      memory: [
        {
          sessions: 50,
          before: { runner: 90 * megabyte, workerd: 120 * megabyte },
          after: { runner: 100 * megabyte, workerd: 170 * megabyte },
        },
      ],
    });
    expect(text).toMatch(/runner\s+90\.0 MB\s+100\.0 MB/);
  });
});
