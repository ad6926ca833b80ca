import type { EngineError } from '../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../protocol/launch.ts';

/** The type of a provider's HTTP answer; null is no answer. */
export function failureOfStatus(status: number | null): ProviderFailure {
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

/** What to do about a failure, as sentences. What concerns a login is each engine's own. */
export type Advice = Partial<Record<ProviderFailure, string>>;

const ADVICE: Advice = {
  rate_limited:
    'The provider’s rate limit is reached. Wait until it resets, then send the instruction again.',
  quota_exhausted:
    'The account of the provider has no credit left. Add credit or use another login, then send the instruction again.',
  model_not_found:
    'The provider does not offer this model to this login. Launch with another model.',
  conversation_lost:
    'The engine does not know the conversation that it was to resume, or not on this machine, and began nothing. Retry (`pilothouse sessions retry`) begins a new one that is told the record of this session. One that was begun by hand is found only where it was begun: check its id and its directory.',
  overloaded:
    'The provider could not be reached or is overloaded. Send the instruction again in a while.',
};

/** The failure as a person reads it: what to do, then what the engine said. */
export function describeWith(
  own: Advice,
  code: ProviderFailure,
  engineWords: string | null,
): EngineError {
  const advice =
    own[code] ??
    ADVICE[code] ??
    'The engine ended the turn with an error; its own words are all that is known.';
  return { code, message: engineWords ? `${advice} (The engine says: ${engineWords})` : advice };
}
