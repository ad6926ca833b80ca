import type { ClassifiedAct } from '../acts/classify.ts';
import { type Claim, fitOf, MAX_CLAIM_CHARS } from '../witness/claims.ts';
import type { Move } from '../witness/snapshot.ts';
import { type ActRules, asksForge } from './act-policy.ts';

/**
 * Whether whoever allowed a call allowed this move of a ref at a remote: they saw the ref named, or
 * were told the branch that is meant where none is. What may fit after the fact is not enough: a
 * bare push, and a merge that a forge is asked for, could be any. Pure.
 */
export function allowsMove(
  claim: Claim,
  move: Move,
  remote: string | null,
  { branch }: Pick<ActRules, 'branch'>,
): boolean {
  if (asksForge(claim)) return false;
  const fit = fitOf(claim, move);
  const words = (claim.target ?? '').split(/\s+/).filter(Boolean);
  // `--tags` stands among the names, also where no remote stands before them.
  const [place = '', ...names] = words[0] === '--tags' ? ['', ...words] : words;
  if (fit === 0 || !isPlace(place, remote)) return false;
  if (claim.kind === 'tag' && names.includes('--tags')) return true;
  // What a command names beside is where a ref comes from, and no place that it goes to.
  if (fit >= 2) return names.some((name) => isNameOf(name.replace(/^.*:/, ''), move.ref));
  return !claim.uncertain && branch !== null && move.ref === `refs/heads/${branch}`;
}

/** Whether a word is the remote that is pushed to: of one given by its address no name is known. */
const isPlace = (word: string, remote: string | null): boolean =>
  word === '' || (remote === null ? /[/:]/.test(word) : word === remote);

const isNameOf = (name: string, ref: string): boolean =>
  [name, `refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`].includes(ref);

/** Whether a call is the one that a forge is asked for, word by word: another number is another merge. */
export const isSameCall = (
  claim: Claim,
  { kind, command, target }: Pick<ClassifiedAct, 'kind' | 'command' | 'target'>,
): boolean =>
  asksForge(claim) &&
  claim.kind === kind &&
  claim.command === command.slice(0, MAX_CLAIM_CHARS) &&
  claim.target === target;
