import type { EngineError } from '../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';
import { describeWith, failureOfStatus } from '../failures.ts';
import type { RpcError } from '../json-rpc.ts';
import type { AcpTraits } from './state.ts';

/** The protocol's own code for an agent that nobody has logged in to. */
const AUTH_REQUIRED = -32_000;

const UNKNOWN_STATUS = 500;

/** Words of providers that agents hand on without their status. */
const SAID: readonly (readonly [pattern: RegExp, code: ProviderFailure])[] = [
  [/quota|insufficient.*(credit|balance|funds)/i, 'quota_exhausted'],
  [/API_KEY_INVALID|invalid (x-)?api.?key|authentication_error|unauthori[sz]ed/i, 'auth_expired'],
  [/rate.?limit/i, 'rate_limited'],
  [/overloaded|unavailable|terminated|fetch failed|ECONN|socket|network/i, 'overloaded'],
  [/model.*not.?found|not_found_error/i, 'model_not_found'],
];

/**
 * What an error answer means. Some agents put the provider's HTTP status into the code, others
 * into their words or data, others nowhere.
 */
export function failureOf(traits: AcpTraits, { code, message, data }: RpcError): EngineError {
  const words = wordsOf(message, data);
  const advice = { auth_missing: traits.loginAdvice, auth_expired: traits.loginAdvice };
  if (code === AUTH_REQUIRED) return describeWith(advice, 'auth_missing', words);
  const said = SAID.find(([pattern]) => pattern.test(words))?.[1];
  const status = code >= 400 && code < 600 ? code : statusIn(data);
  const byStatus = status === null ? null : failureOfStatus(status);
  // 500 is also what an agent says that knows no status: its words know more then.
  const byWords = said === 'auth_expired' || status === UNKNOWN_STATUS;
  return describeWith(
    advice,
    (byWords ? (said ?? byStatus) : (byStatus ?? said)) ?? 'unknown',
    words,
  );
}

/** The protocol's own code for something that an agent was asked for and does not have. */
const NOT_FOUND = -32_002;

/**
 * What agents say of a conversation that they do not know. Gemini CLI says it in words (0.61.0),
 * OpenCode by the part of it that failed (1.18.33).
 */
const UNKNOWN_CONVERSATION =
  /no previous sessions|invalid session identifier|(session|conversation|thread).*not.?found/i;

/** What an error answer to taking a conversation up again means. */
export function failureToResume(traits: AcpTraits, error: RpcError): EngineError {
  const { code, message, data } = error;
  const words = wordsOf(message, data);
  const service = typeof data === 'object' && data !== null && 'service' in data && data.service;
  const lost = code === NOT_FOUND || service === 'session' || UNKNOWN_CONVERSATION.test(words);
  return lost ? describeWith({}, 'conversation_lost', words) : failureOf(traits, error);
}

function wordsOf(message: string, data: unknown): string {
  const more = typeof data === 'object' && data !== null ? detailIn(data) : null;
  return more && !message.includes(more) ? `${message}: ${more}` : message;
}

function detailIn(data: object): string | null {
  for (const name of ['details', 'message', 'error'] as const) {
    const value = (data as Record<string, unknown>)[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

function statusIn(data: unknown): number | null {
  if (typeof data !== 'object' || data === null) return null;
  for (const name of ['status', 'statusCode', 'httpStatus'] as const) {
    const value = (data as Record<string, unknown>)[name];
    if (typeof value === 'number' && value >= 400 && value < 600) return value;
  }
  return null;
}
