import {
  APICallError,
  type FinishReason,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
} from 'ai';

/** `waitMs` null: trying again changes nothing before a person did something. */
export type ModelFailure =
  | { kind: 'undecided'; problem: string }
  | { kind: 'unavailable'; reason: string; waitMs: number | null };

/** How long an API that refuses for a while is left alone unless it says how long, in ms. */
const WAIT_MS = 60_000;
const WAIT_MAX_MS = 24 * 3_600_000;

/** No connection to the API came about: nothing was asked. */
export class UnreachableError extends Error {}

/**
 * What a failed call means, in our own words: a provider's words may repeat the key or the prompt,
 * and are neither shown nor logged.
 */
export function failureOf(error: unknown): ModelFailure {
  if (NoObjectGeneratedError.isInstance(error)) return undecided(problemOf(error.finishReason));
  if (NoOutputGeneratedError.isInstance(error)) return undecided(problemOf(undefined));
  if (error instanceof UnreachableError)
    return unavailable('The model API cannot be reached from the server.', WAIT_MS);
  if (APICallError.isInstance(error)) return failureOfCall(error);
  if (isTimeout(error)) return unavailable('The model did not answer in time.', WAIT_MS);
  return undecided('The model API gave an answer that cannot be read.');
}

function problemOf(finishReason: FinishReason | undefined): string {
  if (finishReason === 'content-filter') return 'The model refused to answer.';
  if (finishReason === 'length') return 'The answer was too long and was cut off.';
  return 'The answer is not a decision in the form that was asked for.';
}

/**
 * Whether a failed call may have been charged all the same: it was answered with something, or was
 * under way when its time was over.
 */
export const mayBeCharged = (error: unknown, failure: ModelFailure): boolean =>
  failure.kind === 'undecided' || isTimeout(error);

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

function failureOfCall({ statusCode, responseHeaders }: APICallError): ModelFailure {
  if (statusCode === undefined)
    return unavailable('The model API cannot be reached from the server.', WAIT_MS);
  if (statusCode < 300) return undecided('The model API gave an answer that cannot be read.');
  if (statusCode === 401 || statusCode === 403)
    return unavailable(
      `The model API refuses the key (status ${statusCode}). Add a key that works with \`pilothouse brain-keys add\`, and launch with that.`,
      null,
    );
  if (statusCode === 429 || statusCode === 408 || statusCode >= 500)
    return unavailable(
      `The model API takes no requests just now (status ${statusCode}).`,
      waitOf(responseHeaders?.['retry-after']),
    );
  return unavailable(
    `The model API does not take this request (status ${statusCode}). Look at the address of the key and the name of the model, and launch again.`,
    null,
  );
}

function waitOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter);
  if (retryAfter === undefined || !Number.isFinite(seconds) || seconds < 0) return WAIT_MS;
  return Math.min(Math.max(seconds * 1_000, 1_000), WAIT_MAX_MS);
}

const undecided = (problem: string): ModelFailure => ({ kind: 'undecided', problem });
const unavailable = (reason: string, waitMs: number | null): ModelFailure => ({
  kind: 'unavailable',
  reason,
  waitMs,
});
