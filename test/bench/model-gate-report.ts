import type { Latency } from './statistics.ts';

export type ModelGateReport = {
  requestBytes: number;
  /** From the request to the first byte of its answer, in ms. */
  direct: Latency;
  gated: Latency;
  directMegabytesPerSecond: number;
  gatedMegabytesPerSecond: number;
};

const line = (name: string, { p50, p95, p99 }: Latency): string =>
  `  ${name.padEnd(10)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

/** What the gate adds, as a person reads it. */
export function describeModelGate(report: ModelGateReport): string {
  const { direct, gated, requestBytes } = report;
  return [
    `First byte of a call of ${Math.round(requestBytes / 1000)} KB, ${gated.samples} samples each, in turns`,
    line('direct', direct),
    line('the gate', gated),
    `  added      p50 ${(gated.p50 - direct.p50).toFixed(2)} ms`,
    `One long stream: ${report.directMegabytesPerSecond.toFixed(0)} MB/s direct, ${report.gatedMegabytesPerSecond.toFixed(0)} MB/s through the gate`,
  ].join('\n');
}
