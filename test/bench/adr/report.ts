export type AdrBenchRow = { name: string; ms: readonly number[]; median: number };

/** The middle of the values; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`.padStart(10);

/** A report for a person: each median, each run, and the last row as a ratio to each. */
export function describeAdrBench(
  files: number,
  processors: number,
  rows: readonly AdrBenchRow[],
): string {
  const rival = rows.at(-1)?.median ?? Number.NaN;
  return [
    `One rule over ${files.toLocaleString('en')} TypeScript files on ${processors} processors, process start included, median of ${rows[0]?.ms.length ?? 0}`,
    ...rows.map(
      (row) =>
        `  ${row.name.padEnd(24)}${seconds(row.median)}   (${row.ms.map(seconds).join('')} )  ratio ${(row.median / rival).toFixed(3)}`,
    ),
  ].join('\n');
}
