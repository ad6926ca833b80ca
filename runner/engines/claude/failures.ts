import type { EngineError } from '../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';
import { type Advice, describeWith, failureOfStatus } from '../failures.ts';

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

const OWN_ADVICE: Advice = {
  auth_missing:
    'The engine is not logged in. Run `claude` once on that machine and log in, or set ANTHROPIC_API_KEY for the runner.',
  auth_expired:
    'The provider refused the login of the engine. Log in again with `claude` on that machine, or replace the API key.',
};

/** The failure as a person reads it: what to do, then what the engine said. */
export function describeFailure(code: ProviderFailure, engineWords: string | null): EngineError {
  return describeWith(OWN_ADVICE, code, engineWords);
}
