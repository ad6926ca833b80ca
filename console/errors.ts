import { nameHere } from './lib/command-name.ts';
import { isStaleBuild } from './lib/stale-build.ts';
import { ERRORS, type ErrorCode, parseErrorCode, sentenceOf } from '../protocol/errors.ts';

/** Why a request failed, as the page tells it. */
export class RequestFailure extends Error {
  readonly code: ErrorCode | 'unreachable' | 'unreadable';
  readonly requestId: string | null;
  readonly retryable: boolean;

  constructor(
    code: RequestFailure['code'],
    details: { message: string; requestId?: string | null; retryable: boolean },
    options?: { cause?: unknown },
  ) {
    super(details.message, options);
    this.name = 'RequestFailure';
    this.code = code;
    this.requestId = details.requestId ?? null;
    this.retryable = details.retryable;
  }
}

const UNREACHABLE =
  'Pilothouse did not answer. Either it is not running or the network is down; start it with `npm start`, or check the connection, then retry.';
const UNREADABLE =
  'Pilothouse answered in a form that this page does not understand. The page is probably older than the server; reload it.';

const STALE =
  'Pilothouse was updated while this page was open, and the part you want belongs to the new version. Reload the page; what you typed is kept.';

/** The failure of a request that nothing answered. */
export const unreachable = (cause: unknown): RequestFailure =>
  new RequestFailure('unreachable', { message: UNREACHABLE, retryable: true }, { cause });

/** The failure of a request whose answer is in no form that this page knows. */
export const unreadable = (requestId: string | null, cause: unknown): RequestFailure =>
  new RequestFailure('unreadable', { message: UNREADABLE, requestId, retryable: true }, { cause });

/** An error as a person reads it. */
export type Told = { sentence: string; requestId: string | null; retryable: boolean };

/** The one place that turns whatever went wrong into what a person reads. */
export function tellError(error: unknown): Told {
  if (isStaleBuild(error)) return { sentence: STALE, requestId: null, retryable: true };
  if (error instanceof RequestFailure) {
    const { message, requestId, retryable } = error;
    return { sentence: nameHere(message), requestId, retryable };
  }
  return { sentence: ERRORS.internal.sentence, requestId: null, retryable: true };
}

/** The sentence of a code that came over the wire without one of its own. */
export function sentenceOfCode(code: string): string {
  return nameHere(sentenceOf(parseErrorCode(code)));
}

/** Whether asking again cannot help: what was asked for is not there, or not for whoever asks. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RequestFailure && !error.retryable;

const OUTDATED: ReadonlySet<string> = new Set([
  'policy_changed',
  'engine_changed',
  'operator_changed',
] satisfies ErrorCode[]);

/** Whether what was edited has another version by now: to be looked at before it is edited again. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof RequestFailure && OUTDATED.has(error.code);

/** Where to go instead, for what is not where somebody looked. */
export function elsewhereOf(
  error: unknown,
): { to: '/' | '/sessions' | '/machines' | '/decisions'; label: string } | null {
  if (!(error instanceof RequestFailure)) return null;
  switch (error.code) {
    case 'session_not_found':
      return { to: '/sessions', label: 'All sessions' };
    case 'runner_not_found':
      return { to: '/machines', label: 'All machines' };
    case 'decision_report_not_found':
      return { to: '/decisions', label: 'All repositories' };
    case 'not_found':
      return { to: '/', label: 'Go home' };
    default:
      return null;
  }
}

/** Whether an error means that nobody is signed in here. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof RequestFailure && error.code === 'unauthenticated';
