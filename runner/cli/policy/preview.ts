import { type MergePolicy, TAG_RULES } from '../../../protocol/merge-policy.ts';
import { limitPolicy } from '../../gate/policy.ts';
import { readMachineLimits, type Limits, type RepositoryLimits } from '../../limits.ts';
import { messageOf } from '../../failure.ts';
import type { Place } from './place.ts';

/** What a policy would change, and what of it a machine does not let be. Nothing is saved. */
export type PolicyPreview = {
  /** What would be in force, in sentences. */
  words: readonly string[];
  /** The sentences that would be new, and those that would hold no more. */
  added: readonly string[];
  removed: readonly string[];
  /** What this machine's limits.toml says against it; null where it is another machine's to say. */
  limits: readonly string[] | null;
};

/** What changes between two policies that are told in sentences. Pure. */
export const compareWords = (now: readonly string[], then: readonly string[]) => ({
  added: then.filter((sentence) => !now.includes(sentence)),
  removed: now.filter((sentence) => !then.includes(sentence)),
});

/** What the limits of a machine take from a policy, each a sentence. Pure. */
export function describeOverrides(policy: MergePolicy, limits: RepositoryLimits | null): string[] {
  const held = limitPolicy(policy, limits);
  const whence = limits
    ? 'limits.toml'
    : 'A machine whose limits.toml says nothing of a repository';
  const sentences = [
    held.mode !== policy.mode &&
      `${whence} lets the mode be ${held.mode} at most (merge), so that ${policy.mode} has no effect.`,
    TAG_RULES.indexOf(held.tags) < TAG_RULES.indexOf(policy.tags) &&
      `${whence} lets no tags be pushed (push_tags), so that tags ${policy.tags} has no effect.`,
    held.fixedBranches.length > 0 &&
      `limits.toml lets no session move ${held.fixedBranches.join(', ')} (protected), whatever the policy says.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

/** The same of this machine as it is now: what it cannot read lets nothing be launched. */
export function readOverrides(policy: MergePolicy, place: Place, env: NodeJS.ProcessEnv): string[] {
  try {
    return describeOverrides(policy, findLimitsOf(readMachineLimits(env), place));
  } catch (error) {
    return [`This machine launches nothing: ${messageOf(error)}`];
  }
}

/** Limits are of a repository's top, and a policy of any directory in it. */
const findLimitsOf = ({ repositories }: Limits, place: Place): RepositoryLimits | null =>
  repositories.find(
    ({ directory }) =>
      place !== null &&
      (place.directory === directory || place.directory.startsWith(`${directory}/`)),
  ) ?? null;

/** The preview as a person reads it. */
export function sayPreview(of: string, { words, added, removed, limits }: PolicyPreview): string {
  const changes = [...removed.map((each) => `- ${each}`), ...added.map((each) => `+ ${each}`)];
  return [
    `Would be in force for ${of}. Nothing is saved.`,
    '',
    ...words,
    '',
    ...(changes.length === 0
      ? ['No sentence of what is in force now changes.']
      : ['Changes:', ...changes]),
    ...(limits === null
      ? ['', 'What limits.toml of that machine says is not known here: it may allow less.']
      : limits.length > 0
        ? ['', 'On this machine:', ...limits]
        : []),
  ].join('\n');
}
