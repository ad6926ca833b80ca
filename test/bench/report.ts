import type { BurstReport } from './burst.ts';
import type { LatencyReport } from './latency.ts';
import type { MemoryReport } from './memory.ts';

export type BenchReport = {
  latency: readonly LatencyReport[];
  burst: readonly BurstReport[];
  memory: readonly MemoryReport[];
};

const ms = (value: number): string => `${value.toFixed(2)} ms`.padStart(11);
const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`.padStart(11);
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`.padStart(11);
const row = (label: string, cells: readonly string[]): string =>
  `  ${label.padEnd(12)}${cells.join('')}`;

function describeLatency({ content, perSecond, rounds, pilothouse, bare }: LatencyReport): string {
  const ranks = ['p50', 'p95', 'p99', 'max'] as const;
  return [
    `Latency of ${content}, engine line to viewer socket, ${perSecond}/s: ${pilothouse.samples} samples each, in ${rounds} turns`,
    row(
      '',
      ranks.map((rank) => rank.padStart(11)),
    ),
    row(
      'pilothouse',
      ranks.map((rank) => ms(pilothouse[rank])),
    ),
    row(
      'bare relay',
      ranks.map((rank) => ms(bare[rank])),
    ),
    row(
      'difference',
      ranks.map((rank) => ms(pilothouse[rank] - bare[rank])),
    ),
  ].join('\n');
}

function describeBurst({ content, count, pilothouse, bare }: BurstReport): string {
  return [
    `Burst of ${count.toLocaleString('en')} ${content}, median of ${pilothouse.runs.length}`,
    row('pilothouse', [rate(pilothouse.perSecond), ` (${pilothouse.runs.map(rate).join('')} )`]),
    row('bare relay', [rate(bare.perSecond), ` (${bare.runs.map(rate).join('')} )`]),
    row('ratio', [(pilothouse.perSecond / bare.perSecond).toFixed(3).padStart(11)]),
  ].join('\n');
}

function describeMemory({ sessions, before, after }: MemoryReport): string {
  const line = (label: string, held: keyof typeof before) =>
    row(label, [megabytes(before[held]), megabytes(after[held])]);
  return [
    `Resident memory, one sample each after a rest, engines aside`,
    row('', ['no session'.padStart(11), `${sessions} idle`.padStart(11)]),
    line('runner', 'runner'),
    line('workerd', 'workerd'),
  ].join('\n');
}

/** A report for a person. */
export function describeReport({ latency, burst, memory }: BenchReport): string {
  return [
    ...latency.map(describeLatency),
    ...burst.map(describeBurst),
    ...memory.map(describeMemory),
  ].join('\n\n');
}
