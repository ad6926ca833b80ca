import { stripVTControlCharacters } from 'node:util';
import type { EngineExit } from '../engine.ts';

/** What shells and `env` answer for a command that is not there, and for one that may not run. */
const SHELL_WORDS: Readonly<Record<number, string>> = {
  126: ' That status usually means that a program in it may not be run.',
  127: ' That status usually means that a program in it was not found.',
};

/** The end of a command as a person reads it: its status, its last words, what to do. */
export function describeExit({ exitCode, signal, stderrTail }: EngineExit): string {
  if (exitCode === null || signal !== null)
    return `The command was ended from outside${signal ? ` by ${signal}` : ''}, not by this session; what it did up to there stands. Send the instruction again to go on.`;
  const words = stderrTail
    .map((line) => stripVTControlCharacters(line).trim())
    .filter(Boolean)
    .slice(-3)
    .join(' ');
  const said = words ? ` Its last words: “${words}”.` : ' It said nothing on its error output.';
  return `The command ended with exit code ${exitCode}.${SHELL_WORDS[exitCode] ?? ''}${said} What it did up to there stands; send the instruction again once the reason is gone.`;
}
