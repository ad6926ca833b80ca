import { stripVTControlCharacters } from 'node:util';
import type { EngineError } from '../../../protocol/engine-event.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';
import type { EngineExit } from '../engine.ts';
import { type Advice, describeWith, failureOfStatus } from '../failures.ts';
import type { ResultLine } from './lines.ts';

const ADVICE: Advice = {
  auth_missing:
    'The engine is not logged in. Run `gemini` once on that machine and log in, or set GEMINI_API_KEY for the runner.',
  auth_expired:
    'The provider refused the login of the engine. Log in again with `gemini` on that machine, or replace the API key.',
};

/**
 * Exit codes of gemini's own failures.
 * Source: `FatalError` and its kinds in the core package of gemini 0.61.0.
 */
const EXITS: Readonly<Record<number, { code: ProviderFailure; advice: string | null }>> = {
  41: { code: 'auth_missing', advice: null },
  42: {
    code: 'unknown',
    advice:
      'The engine did not accept what it was started with: the instruction, or the conversation to go on with. Its own words tell which.',
  },
  44: {
    code: 'workspace_refused',
    advice: 'The engine’s own sandbox could not be started. Check its settings on that machine.',
  },
  52: {
    code: 'unknown',
    advice: 'The engine’s settings are wrong. Correct ~/.gemini/settings.json on that machine.',
  },
  53: {
    code: 'unknown',
    advice:
      'The engine stopped at its own limit of model calls (`maxSessionTurns` in its settings). The work up to there stands; send an instruction to go on.',
  },
  54: {
    code: 'unknown',
    advice: 'A tool of the engine could not go on. Look at the last call, then send it again.',
  },
  55: {
    code: 'workspace_refused',
    advice: 'The engine does not trust the directory. Trust it once with `gemini` run there.',
  },
};

/** HTTP statuses come as the process's exit code, of which the system keeps the lowest eight bits. */
function httpStatusOf(exitCode: number | null): number | null {
  const status = (exitCode ?? 0) + 256;
  return status >= 400 && status < 512 ? status : null;
}

/** The failure that a process which ended by itself tells of, by its codes before its words. */
export function failureOf(exit: EngineExit, result: ResultLine | null): EngineError {
  const { exitCode, stderrTail } = exit;
  const words = result?.error?.message ?? lastWords(stderrTail);
  const own = exitCode === null ? undefined : EXITS[exitCode];
  if (own)
    return describeWith(
      { ...ADVICE, ...(own.advice && { [own.code]: own.advice }) },
      own.code,
      words,
    );
  const status = httpStatusOf(exitCode);
  if (status !== null) return describeWith(ADVICE, decideFailure(status, words, stderrTail), words);
  if (isUnknownModel(stderrTail)) return describeWith(ADVICE, 'model_not_found', words);
  if (result) return describeWith(ADVICE, 'unknown', words);
  const said = words ? ` Its last words: ${words}` : ' It said nothing on its error output.';
  return {
    code: 'engine_crashed',
    message: `The engine ended in mid-turn with status ${exitCode ?? 'unknown'}; the turn’s work up to there stands.${said}`,
  };
}

/** It says so by the name of a class of its own, and ends with a status that means nothing (seen on 0.61.0). */
const isUnknownModel = (stderrTail: readonly string[]): boolean =>
  stderrTail.some((line) => line.includes('ModelNotFoundError'));

/** It was to resume a conversation that it does not know; its words alone tell (seen on 0.61.0). */
export function lostConversation({ exitCode, stderrTail }: EngineExit): EngineError | null {
  const said = stderrTail
    .map((line) => stripVTControlCharacters(line).trim())
    .findLast((line) => /^Error resuming session: (No previous|Invalid)/.test(line));
  return exitCode === 42 && said !== undefined
    ? describeWith(ADVICE, 'conversation_lost', said)
    : null;
}

/** The end of the error output without its colours; null when it said nothing. */
function lastWords(stderrTail: readonly string[]): string | null {
  const lines = stderrTail.map((line) => stripVTControlCharacters(line).trim());
  return lines.filter(Boolean).slice(-3).join(' ') || null;
}

/** Names of the provider's and the engine's own classes of failure, which two statuses share. */
function decideFailure(
  status: number,
  words: string | null,
  stderrTail: readonly string[],
): ProviderFailure {
  const says = (name: string) =>
    words?.includes(name) || stderrTail.some((line) => line.includes(name));
  if (status === 400 && says('API_KEY_INVALID')) return 'auth_expired';
  if (status === 429 && says('TerminalQuotaError')) return 'quota_exhausted';
  return failureOfStatus(status);
}
