/** One structured line per thing that happened: facts are ids and figures, never secrets. */
export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  facts?: Readonly<Record<string, string | number | boolean | null>>,
) => void;

/** Writes `level message key=value …` lines, as a person reads them in a terminal or a journal. */
export function createLog(write: (line: string) => void): Log {
  return (level, message, facts = {}) => {
    const tail = Object.entries(facts).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
    write(`${level === 'info' ? '' : `${level}: `}${message}${tail.join('')}\n`);
  };
}
