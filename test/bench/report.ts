import type { AdoptionReport } from './adoption.ts';
import type { BurstReport } from './burst.ts';
import type { ClosedMemoryReport } from './closed-memory.ts';
import type { LatencyReport } from './latency.ts';
import type { MemoryReport } from './memory.ts';
import type { ParserReport } from './parsers.ts';

export type BenchReport = {
  latency: readonly LatencyReport[];
  burst: readonly BurstReport[];
  memory: readonly MemoryReport[];
  closed: readonly ClosedMemoryReport[];
  adoption: readonly AdoptionReport[];
  parsers: readonly ParserReport[];
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

function describeClosed(reports: readonly ClosedMemoryReport[]): string {
  const cells = (held: (report: ClosedMemoryReport) => number) =>
    reports.map((report) => megabytes(held(report)));
  return [
    'Beside sessions that are kept to their model, proportional (PSS), engines aside',
    row(
      'sessions',
      reports.map(({ sessions }) => String(sessions).padStart(11)),
    ),
    row(
      'bridges',
      cells(({ bridges }) => bridges),
    ),
    row(
      'seals',
      cells(({ seals }) => seals),
    ),
    row(
      'each',
      cells(({ sessions, bridges, seals }) => (bridges + seals) / sessions),
    ),
    row(
      'proxy of all',
      cells(({ proxy }) => proxy),
    ),
  ].join('\n');
}

function describeAdoption({ sessions, one, firstOfAll, lastOfAll }: AdoptionReport): string {
  return [
    'kill -9 of the runner until what an engine wrote meanwhile is seen',
    row('one session', [ms(one)]),
    row(`of ${sessions}`, [ms(firstOfAll), ` the first, ${ms(lastOfAll).trim()} the last`]),
    row('ratio', [(lastOfAll / one).toFixed(2).padStart(11)]),
  ].join('\n');
}

function describeParsers(reports: readonly ParserReport[]): string {
  const speed = (value: number): string => `${value.toFixed(0)} MB/s`.padStart(11);
  return [
    'Recorded output of each engine, best run. Ratios of time: parsing to reading its JSON alone; redacting too to parsing',
    row(
      '',
      ['JSON', 'parsed', 'ratio', 'redacted', 'ratio', 'patterns', 'ratio'].map((name) =>
        name.padStart(11),
      ),
    ),
    ...reports.map(({ name, json, parse, redacted, patterned }) =>
      row(name, [
        json === null ? '–'.padStart(11) : speed(json),
        speed(parse),
        (json === null ? '–' : (json / parse).toFixed(2)).padStart(11),
        speed(redacted),
        (parse / redacted).toFixed(2).padStart(11),
        speed(patterned),
        (parse / patterned).toFixed(2).padStart(11),
      ]),
    ),
  ].join('\n');
}

/** A report for a person. */
export function describeReport(report: BenchReport): string {
  const { latency, burst, memory, closed, adoption, parsers } = report;
  return [
    ...latency.map(describeLatency),
    ...burst.map(describeBurst),
    ...memory.map(describeMemory),
    ...(closed.length > 0 ? [describeClosed(closed)] : []),
    ...adoption.map(describeAdoption),
    ...(parsers.length > 0 ? [describeParsers(parsers)] : []),
  ].join('\n\n');
}
