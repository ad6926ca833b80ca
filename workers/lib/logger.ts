/** Facts of one log line: ids, codes, counts and durations. Never a token, a prompt or an output. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type LogLevel = 'info' | 'warn' | 'error';

/** Writes one structured line. `operation` is `area.verb`, the same word at every call. */
export function log(level: LogLevel, operation: string, facts: LogFacts = {}): void {
  // oxlint-disable no-console -- the console is where a Worker's log lines go
  const line = JSON.stringify({ level, operation, ...facts });
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}

/** What a caught value says about itself, for a log line. */
export function describeFault(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
}
