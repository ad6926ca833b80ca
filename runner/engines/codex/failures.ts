import { z } from 'zod';
import type { EngineError } from '../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';
import { parseJson } from '../../json.ts';
import { type Advice, describeWith, failureOfStatus } from '../failures.ts';

/** What to do about a login of codex. */
export const ADVICE: Advice = {
  auth_missing:
    'The engine has no credential. Run `codex login` on that machine, or set CODEX_API_KEY, or the variable that its configuration names, for the runner.',
  auth_expired:
    'The provider refused the login of the engine. Run `codex login` again on that machine, or replace the API key.',
};

/**
 * What codex says, in order. `exec --json` has no codes: its sentences are all that there is.
 * Source: captured runs of codex 0.171.0 against every one of these answers.
 */
const SAID: readonly (readonly [pattern: RegExp, code: ProviderFailure])[] = [
  [/^Missing environment variable/, 'auth_missing'],
  [/hit your usage limit|^Quota exceeded/, 'quota_exhausted'],
  [
    /^(Reconnecting\.\.\. )?.*(stream disconnected|Connection failed|waiting for network)/,
    'overloaded',
  ],
  [/at capacity|overloaded/i, 'overloaded'],
  [/\bmodel\b.*\b(not found|does not exist|is not supported)\b/i, 'model_not_found'],
];

/** What a provider answers where it takes a request for a wrong one; codex hands on its whole body. */
const refusal = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);

/** The provider's sentence in a body that was handed on; null for other words. */
function sentenceIn(message: string): string | null {
  const read = message.startsWith('{') ? refusal.safeParse(parseJson(message)) : null;
  return read?.success ? read.data : null;
}

/** The HTTP status of the provider's answer that a message tells of; null when it tells none. */
export function statusOf(message: string): number | null {
  const match = /\b(?:unexpected|last) status:? (\d{3})\b/.exec(message);
  return match ? Number(match[1]) : null;
}

/** Whether the provider refused before its model said anything, so that nothing was used. */
export const isRefused = (message: string, { code }: EngineError): boolean =>
  statusOf(message) !== null ||
  sentenceIn(message) !== null ||
  code === 'quota_exhausted' ||
  code === 'model_not_found';

/** The failure that an `error` line or a failed turn tells of. */
export function parseFailure(told: string): EngineError {
  const message = sentenceIn(told) ?? told;
  const status = statusOf(message);
  const said = SAID.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown';
  const code = status === null ? said : failureOfStatus(status);
  return describeWith(ADVICE, code, message);
}

/**
 * Whether a message tells of a refused login that trying again will not mend. The first refusal
 * may: codex renews a subscription's token then.
 */
export function isLastRefusal(message: string): boolean {
  const attempt = /^Reconnecting\.\.\. (\d+)\//.exec(message);
  return statusOf(message) === 401 && attempt !== null && Number(attempt[1]) > 1;
}

/** What a process that ended before it began says on its error output; null when it crashed. */
export function parseRefusal(stderrTail: readonly string[]): EngineError | null {
  const said = stderrTail.findLast((line) => /^(Error|error): |^Not inside a trusted/.test(line));
  if (said === undefined) return null;
  if (/no rollout found/.test(said)) {
    return describeWith(ADVICE, 'conversation_lost', said);
  }
  if (/active writer/.test(said)) {
    return refused(
      'Another process of the engine has this conversation open. End it, then send the instruction again.',
      said,
    );
  }
  return refused('The engine refused to start the turn.', said);
}

const refused = (advice: string, said: string): EngineError => ({
  code: 'unknown',
  message: `${advice} (The engine says: ${said})`,
});
