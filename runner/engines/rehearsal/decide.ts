import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from './script.ts';

/** What a rehearsal answers to a question for a decision; a text is an answer in no form at all. */
export type Decision = NonNullable<Script['decisions']>[number];

const KEPT = 'decisions.json';

/**
 * The next answer of the script, the last one again and again; without a script what the checks of
 * the question say: the first that fails is to be made to pass, and none is the end.
 */
export function decideNext(script: Script, prompt: string, stateDirectory: string): Decision {
  const { decisions } = script;
  if (!decisions) return decideByChecks(prompt);
  const count = takeCount(stateDirectory);
  return decisions[Math.min(count, decisions.length - 1)] ?? decideByChecks(prompt);
}

function decideByChecks(prompt: string): Decision {
  const failing = /FAILS: (.*?) \(`/.exec(prompt)?.[1];
  const rest = { instruction: null, waitMinutes: null };
  if (failing === undefined)
    return { ...rest, next: 'finish', reason: 'Every check passes (rehearsed).' };
  return {
    ...rest,
    next: 'instruct',
    instruction: `Make this check pass: ${failing}`,
    reason: `“${failing}” fails (rehearsed).`,
  };
}

/** How many questions were answered before this one, over all processes. */
function takeCount(stateDirectory: string): number {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const file = join(stateDirectory, KEPT);
  const count = readCount(file);
  writeFileSync(file, JSON.stringify(count + 1), { mode: 0o600 });
  return count;
}

function readCount(file: string): number {
  try {
    return Number(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Nobody has asked yet.
    return 0;
  }
}
