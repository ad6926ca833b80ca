import type { Content } from './lines.ts';
import type { PathName, Paths } from './paths.ts';
import { type Latency, summarise } from './statistics.ts';

/** The pace of the aim: 200 a second. */
export const PACE_MS = 5;

export type LatencyReport = {
  content: Content;
  perSecond: number;
  rounds: number;
  pilothouse: Latency;
  bare: Latency;
};

/**
 * Time from a line of the engine to the viewer's socket, at an even pace. The two paths take
 * turns, so that what else the machine does meets both; the first round warms up and is left out.
 */
export async function measureLatency(
  paths: Paths,
  content: Content,
  size: { rounds: number; perRound: number },
): Promise<LatencyReport> {
  const samples: Record<PathName, number[]> = { pilothouse: [], bare: [] };
  for (let round = 0; round <= size.rounds; round++) {
    for (const path of ['pilothouse', 'bare'] as const) {
      const { arrivals } = await paths.run(path, {
        content,
        count: size.perRound,
        everyMs: PACE_MS,
      });
      if (round === 0) continue;
      for (const { sentAt, seenAt } of arrivals) samples[path].push(seenAt - sentAt);
    }
  }
  return {
    content,
    perSecond: 1000 / PACE_MS,
    rounds: size.rounds,
    pilothouse: summarise(samples.pilothouse),
    bare: summarise(samples.bare),
  };
}
