export type Latency = { samples: number; p50: number; p95: number; p99: number; max: number };

/** The value below which a share of the samples lies (nearest rank). Throws without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('no samples: there is nothing to take a percentile of');
  return value;
}

/** What a set of latencies in ms comes to. */
export function summarise(samples: readonly number[]): Latency {
  return {
    samples: samples.length,
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
    p99: percentile(samples, 0.99),
    max: percentile(samples, 1),
  };
}
