import type { Latency } from './statistics.ts';

export type PilotReport = {
  /** From a turn's end to the next instruction, less the brain's own time, ms. */
  overhead: Latency;
  idle: number;
  launchMs: number;
  rssMib: { before: number; idle: number };
  /** Of one processor, over the time in which nothing happened. */
  cpuShare: number;
};

/** The report as a person reads it. */
export function describePilotBench({
  overhead,
  idle,
  launchMs,
  rssMib,
  cpuShare,
}: PilotReport): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    `Overhead per turn, without the brain: p50 ${ms(overhead.p50)}, p95 ${ms(overhead.p95)} (${overhead.samples} turns)`,
    `${idle} sessions whose Pilots wait: ${(cpuShare * 100).toFixed(1)} % of one processor, ${(rssMib.idle - rssMib.before).toFixed(0)} MiB more than without them (${rssMib.idle.toFixed(0)} MiB)`,
    `Launching each took ${ms(launchMs)}`,
  ].join('\n');
}
