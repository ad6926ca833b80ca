/**
 * How a command of ours ends. A script branches on these numbers, so they never change meaning.
 * `refused` is an answer (the machine or the Worker said no), `unreachable` is no answer.
 */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  /** Of a run that is looked at: it waits for a person, is not over, or is over unproven. */
  waiting: 5,
  working: 6,
  unproven: 7,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The one error that a command ends with on purpose. `sentence` says what happened, what it
 * means and what to do; it is printed as it is, never with a stack.
 */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'Failure';
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** The message of anything thrown, for the details of a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of a failed call (`EACCES`, `EADDRINUSE`), or null. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
