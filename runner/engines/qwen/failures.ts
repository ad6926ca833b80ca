import { stripVTControlCharacters } from 'node:util';
import type { EngineError } from '../../../protocol/engine-event.ts';
import type { EngineExit } from '../engine.ts';
import { type Advice, describeWith, failureOfStatus } from '../failures.ts';
import type { ResultLine } from './lines.ts';

const ADVICE: Advice = {
  auth_missing:
    'The engine is not logged in. Run `qwen` once on that machine and choose a provider with `/auth`, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL for the runner.',
  auth_expired:
    'The provider refused the login of the engine. Replace the API key, or choose a provider again with `/auth` in `qwen` on that machine.',
};

/** Its words for an answer of the provider's: `[API Error: 401 …]` (seen on 0.24.4). */
const STATUS = /\[API Error: (\d{3})\b/;
const NO_LOGIN = /^(No auth type is selected|Missing API key|Qwen OAuth free tier)/;

/** The failure that the end of a turn tells of. */
export function failureOf({ error }: ResultLine): EngineError {
  const words = error?.message ?? null;
  if (words && NO_LOGIN.test(words)) return describeWith(ADVICE, 'auth_missing', words);
  const status = words === null ? null : STATUS.exec(words);
  const code = status ? failureOfStatus(Number(status[1])) : 'unknown';
  return describeWith(ADVICE, code, words);
}

/** It ended in mid-turn by itself. */
export function crashOf({ exitCode, stderrTail }: EngineExit): EngineError {
  const words = linesOf(stderrTail).slice(-3).join(' ');
  const said = words ? ` Its last words: ${words}` : ' It said nothing on its error output.';
  return {
    code: 'engine_crashed',
    message: `The engine ended in mid-turn with status ${exitCode ?? 'unknown'}; the turn’s work up to there stands.${said}`,
  };
}

/** It was to resume a conversation that it does not know; its words alone tell (seen on 0.24.4). */
export function lostConversation({ exitCode, stderrTail }: EngineExit): EngineError | null {
  const said = linesOf(stderrTail).findLast((line) => line.startsWith('No saved session found'));
  return exitCode === 1 && said !== undefined
    ? describeWith(ADVICE, 'conversation_lost', said)
    : null;
}

const linesOf = (stderrTail: readonly string[]): string[] =>
  stderrTail.map((line) => stripVTControlCharacters(line).trim()).filter(Boolean);
