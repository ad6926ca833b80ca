import { describe, expect, it } from 'vitest';
import { describeReport } from './report.ts';
import { summarise } from './statistics.ts';

const NOTHING = { latency: [], burst: [], memory: [], closed: [], adoption: [], parsers: [] };

describe('the report', () => {
  it('says over how many samples each figure is, and what is left without the baseline', () => {
    const text = describeReport({
      ...NOTHING,
      latency: [
        {
          content: 'events',
          perSecond: 200,
          rounds: 10,
          pilothouse: summarise([3, 3, 3]),
          bare: summarise([1, 1, 1]),
        },
      ],
    });
    expect(text).toContain('200/s: 3 samples each, in 10 turns');
    expect(text).toMatch(/difference\s+2\.00 ms/);
  });

  it('gives throughput as a ratio to the baseline, with every run', () => {
    const text = describeReport({
      ...NOTHING,
      burst: [
        {
          content: 'deltas',
          count: 100_000,
          pilothouse: { perSecond: 10_000, runs: [9_000, 10_000, 11_000] },
          bare: { perSecond: 40_000, runs: [40_000] },
        },
      ],
    });
    expect(text).toContain('Burst of 100,000 deltas, median of 3');
    expect(text).toMatch(/10,000\/s \(\s+9,000\/s\s+10,000\/s\s+11,000\/s \)/);
    expect(text).toMatch(/ratio\s+0\.250/);
  });

  it('says what a session that is kept to its model takes by itself, at each number of them', () => {
    const megabyte = 1024 * 1024;
    const closed = [1, 10].map((sessions) => ({
      sessions,
      bridges: (2 * sessions + 3) * megabyte,
      seals: sessions * megabyte,
      proxy: 30 * megabyte,
    }));
    const text = describeReport({ ...NOTHING, closed });
    expect(text).toMatch(/each\s+6\.0 MB\s+3\.3 MB/);
    expect(text).toMatch(/proxy of all\s+30\.0 MB\s+30\.0 MB/);
  });

  it('puts memory with sessions beside memory without', () => {
    const megabyte = 1024 * 1024;
    const text = describeReport({
      ...NOTHING,
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

  it('says what many sessions cost more than one, and a parser more than reading JSON', () => {
    const text = describeReport({
      ...NOTHING,
      adoption: [{ sessions: 50, one: 2_000, firstOfAll: 2_500, lastOfAll: 3_000 }],
      parsers: [{ name: 'claude', bytes: 1, json: 100, parse: 25, redacted: 10, patterned: 5 }],
    });
    expect(text).toMatch(/of 50\s+2500\.00 ms the first, 3000\.00 ms the last/);
    expect(text).toMatch(/ratio\s+1\.50/);
    expect(text).toMatch(
      /claude\s+100 MB\/s\s+25 MB\/s\s+4\.00\s+10 MB\/s\s+2\.50\s+5 MB\/s\s+5\.00/,
    );
  });
});
