import type { EngineError } from '../../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../../protocol/launch.ts';
import { ownEntry } from '../../../acts/own.ts';
import { describeWith, failureOfStatus } from '../../failures.ts';
import { ADVICE, isRefused, parseFailure } from '../failures.ts';
import type { TurnError } from './messages.ts';

/** The engine's own words for failures that have no HTTP status. */
const NAMED: Readonly<Record<string, ProviderFailure>> = {
  unauthorized: 'auth_expired',
  usageLimitExceeded: 'quota_exhausted',
  sessionBudgetExceeded: 'quota_exhausted',
  rateLimitExceeded: 'rate_limited',
  serverOverloaded: 'overloaded',
  internalServerError: 'overloaded',
  flexUnavailable: 'overloaded',
  modelNotFound: 'model_not_found',
};

/** The HTTP status that a failure carries in its structure; null when it has none. */
export function statusIn({ codexErrorInfo: info }: TurnError): number | null {
  if (typeof info !== 'object' || info === null) return null;
  for (const detail of Object.values(info)) {
    if (typeof detail !== 'object' || detail === null || !('httpStatusCode' in detail)) continue;
    if (typeof detail.httpStatusCode === 'number') return detail.httpStatusCode;
  }
  return null;
}

/** The failure by the engine's code for it, else by its words as the one-shot form is read. */
export function failureOf(error: TurnError): EngineError {
  const { codexErrorInfo: info } = error;
  const message = causeOf(error);
  const status = statusIn(error);
  const named = typeof info === 'string' ? ownEntry(NAMED, info) : undefined;
  const code = status === null ? named : failureOfStatus(status);
  return code === undefined ? parseFailure(message) : describeWith(ADVICE, code, message);
}

/** Whether the provider refused before its model said anything, so that nothing was used. */
export const isRefusedBy = (error: TurnError, failure: EngineError): boolean =>
  statusIn(error) !== null || isRefused(causeOf(error), failure);

/** While it tries again, the cause stands in the details alone. */
const causeOf = ({ additionalDetails, message }: TurnError): string => additionalDetails ?? message;

/** Whether the provider refused the login a second time: the first may be a token to renew. */
export function isLastRefusal(error: TurnError): boolean {
  const attempt = /^Reconnecting\.\.\. (\d+)\//.exec(error.message);
  return statusIn(error) === 401 && attempt !== null && Number(attempt[1]) > 1;
}
