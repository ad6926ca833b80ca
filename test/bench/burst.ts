import type { Content } from './lines.ts';
import type { PathName, Paths } from './paths.ts';
import { percentile } from './statistics.ts';

export type Throughput = { perSecond: number; runs: readonly number[] };
export type BurstReport = {
  content: Content;
  count: number;
  pilothouse: Throughput;
  bare: Throughput;
};

/**
 * Things per second from the first line written to the last one seen, as fast as they go. The
 * paths take turns; the figure of each is the median of its runs.
 */
export async function measureBurst(
  paths: Paths,
  content: Content,
  size: { rounds: number; count: number },
): Promise<BurstReport> {
  const rates: Record<PathName, number[]> = { pilothouse: [], bare: [] };
  for (let round = 0; round < size.rounds; round++) {
    for (const path of ['pilothouse', 'bare'] as const) {
      const run = await paths.run(path, { content, count: size.count, everyMs: 0 });
      const endedAt = run.arrivals.reduce((last, { seenAt }) => Math.max(last, seenAt), 0);
      rates[path].push((size.count / (endedAt - run.startedAt)) * 1000);
    }
  }
  const throughput = (runs: readonly number[]) => ({ perSecond: percentile(runs, 0.5), runs });
  return {
    content,
    count: size.count,
    pilothouse: throughput(rates.pilothouse),
    bare: throughput(rates.bare),
  };
}
