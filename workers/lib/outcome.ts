import {
  ERRORS,
  type ErrorCode,
  type ErrorContext,
  parseErrorCode,
  PilothouseError,
} from '../../protocol/errors.ts';

/**
 * The answer of a call between objects. An exception loses its class on the way from one object
 * to another, so an expected refusal travels as data and only faults travel as exceptions.
 */
export type Outcome<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; context: ErrorContext };

/** An outcome with its value. */
export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** An outcome that is a refusal. `context` holds ids and facts, never secrets: a caller sees it. */
export function refuse(code: ErrorCode, context: ErrorContext = {}): Outcome<never> {
  return { ok: false, code, context };
}

/** Takes the value out of an outcome. Throws the refusal as a PilothouseError. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new PilothouseError(outcome.code, outcome.context);
}

/** The refusal that a runner's failed result stands for; its own words become the detail. */
export function refuseWith(code: string, message: string): Outcome<never> {
  const known = parseErrorCode(code);
  const detail = detailIn(known, message);
  return refuse(known, detail === null ? {} : { detail });
}

/** What a runner said beyond the sentence of the code, which is said here again; null for nothing. */
function detailIn(code: ErrorCode, message: string): string | null {
  const { sentence } = ERRORS[code];
  if (message === sentence) return null;
  const within = message.startsWith(`${sentence} (`) && message.endsWith(')');
  return within ? message.slice(sentence.length + 2, -1) : message;
}
