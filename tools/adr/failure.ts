/** 0 clean or done, 1 violations, 2 could not check: the same for every command. */
export const EXIT = { clean: 0, violations: 1, couldNotCheck: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Something that keeps a command from doing its work. `message` is a sentence for a person: what
 * happened, what it means, what to do. `code` is for programs.
 */
export class AdrFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AdrFailure';
    this.code = code;
  }
}

/** The words of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
