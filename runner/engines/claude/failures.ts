import type { EngineError } from '../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';

/** What the engine says about a failed call, wherever it says it. */
export type FailureFacts = {
  /** `assistant.error` or `api_retry.error`: the engine's own class of failure. */
  error: string | null;
  /** HTTP status of the provider's answer; null when no request was made or answered. */
  status: number | null;
  /** The process found a credential to send. */
  credential: boolean;
};

/**
 * Decides the type of a provider failure from the engine's codes, never from its words. An
 * authentication failure without any HTTP status is one where no request was made: there is no
 * login at all.
 */
export function decideFailure(facts: FailureFacts): ProviderFailure {
  switch (facts.error) {
    case 'authentication_failed':
      return facts.status === null && !facts.credential ? 'auth_missing' : 'auth_expired';
    case 'billing_error':
      return 'quota_exhausted';
    case 'rate_limit':
      return 'rate_limited';
    case 'overloaded':
    case 'server_error':
      return 'overloaded';
    case 'model_not_found':
      return 'model_not_found';
    default:
      return failureOfStatus(facts.status);
  }
}

function failureOfStatus(status: number | null): ProviderFailure {
  if (status === null) return 'unknown';
  if (status === 401 || status === 403) return 'auth_expired';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'overloaded';
  return 'unknown';
}

/** Failures that no further turn of the same process can escape. */
export function isFatal(error: EngineError): boolean {
  return error.code === 'auth_missing' || error.code === 'auth_expired';
}

const ADVICE: Partial<Record<ProviderFailure, string>> = {
  auth_missing:
    'The engine is not logged in. Run `claude` once on that machine and log in, or set ANTHROPIC_API_KEY for the runner.',
  auth_expired:
    'The provider refused the login of the engine. Log in again with `claude` on that machine, or replace the API key.',
  rate_limited:
    'The provider’s rate limit is reached. Wait until it resets, then send the instruction again.',
  quota_exhausted:
    'The account of the provider has no credit left. Add credit or use another login, then send the instruction again.',
  model_not_found:
    'The provider does not offer this model to this login. Launch with another model.',
  overloaded:
    'The provider could not be reached or is overloaded. Send the instruction again in a while.',
};

/** The failure as a person reads it: what the engine said, then what to do. */
export function describeFailure(code: ProviderFailure, engineWords: string | null): EngineError {
  const advice =
    ADVICE[code] ?? 'The engine ended the turn with an error; its own words are all that is known.';
  return { code, message: engineWords ? `${advice} (The engine says: ${engineWords})` : advice };
}
