import type { Latency } from './statistics.ts';

/** One question to the API, asked of a small ledger and of a large one in turns. */
export type QueryReport = { query: string; small: Latency; large: Latency };
export type LedgerReport = {
  small: number;
  large: number;
  rounds: number;
  queries: readonly QueryReport[];
};

const number = (value: number): string => value.toLocaleString('en');
const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(12);

/** A report for a person: medians of both sizes, and what the larger costs in multiples. */
export function describeLedger({ small, large, rounds, queries }: LedgerReport): string {
  const width = Math.max(...queries.map(({ query }) => query.length)) + 2;
  return [
    `The same questions to a ledger of ${number(small)} and of ${number(large)} entries and as many acts: medians of ${rounds} each, in turns`,
    `  ${''.padEnd(width)}${number(small).padStart(12)}${number(large).padStart(12)}${'ratio'.padStart(9)}`,
    ...queries.map(
      (row) =>
        `  ${row.query.padEnd(width)}${ms(row.small.p50)}${ms(row.large.p50)}${(row.large.p50 / row.small.p50).toFixed(2).padStart(9)}`,
    ),
  ].join('\n');
}
