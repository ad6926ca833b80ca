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

/** Causes that are followed: a chain may lead back into itself. */
const MAX_CAUSES = 4;

/** What a caught value and its causes say about themselves, for a log line. */
export function describeFault(fault: unknown, causes = MAX_CAUSES): string {
  if (!(fault instanceof Error)) return String(fault);
  const own = `${fault.name}: ${fault.message}`;
  const isLast = fault.cause === undefined || causes === 0;
  return isLast ? own : `${own}; because of ${describeFault(fault.cause, causes - 1)}`;
}
