import picomatch from 'picomatch';
import type { ActKind } from '../../protocol/act.ts';
import { POLICY_MODES, TAG_RULES, type MergePolicy } from '../../protocol/merge-policy.ts';
import { BRANCH_GLOB } from '../../protocol/policy-globs.ts';
import type { RepositoryLimits } from '../limits.ts';
import type { Changes } from './protected-paths.ts';

/** One ref that a push would change, as git sends it. */
export type PushCommand = { ref: string; before: string; after: string };

/** What is known of a ref beside the command. */
export type RefFacts = {
  /** The session made the branch on the remote. */
  own: boolean;
  /** What is there now is contained in what would be there. */
  forward: boolean;
  /** The protected paths among what would be new on the remote. */
  changes: Changes;
};

export type PushPolicy = Omit<MergePolicy, 'tools'> & {
  /** The branch that the remote has checked out; null when it says none. */
  defaultBranch: string | null;
  /** Branches that no policy lets a session move: the machine's own limits name them. */
  fixedBranches: readonly string[];
};

export type PushVerdict =
  | { kind: 'allow' }
  /** A person decides. */
  | { kind: 'ask'; reason: string }
  | { kind: 'refuse'; reason: string };

const NOTHING = /^0+$/;
export const isNothing = (commit: string): boolean => NOTHING.test(commit);

const ALLOW: PushVerdict = { kind: 'allow' };
const refuse = (reason: string): PushVerdict => ({ kind: 'refuse', reason });
const ask = (reason: string): PushVerdict => ({ kind: 'ask', reason });
const stricter = <T>(order: readonly T[], one: T, other: T): T =>
  order.indexOf(one) <= order.indexOf(other) ? one : other;

/** A session's policy as far as the machine's own limits let it go; they are never widened. Pure. */
export function limitPolicy(
  { tools: _tools, ...policy }: MergePolicy,
  limits: Pick<RepositoryLimits, 'protectedBranches' | 'pushTags' | 'mergeAtMost'> | null,
): Omit<PushPolicy, 'defaultBranch'> {
  return {
    ...policy,
    mode: stricter(POLICY_MODES, policy.mode, limits?.mergeAtMost ?? 'ask'),
    fixedBranches: limits?.protectedBranches ?? [],
    tags: stricter(TAG_RULES, policy.tags, limits?.pushTags ? 'new' : 'never'),
  };
}

/**
 * Decides whether a session may change a ref of the remote: branches of its own freely, branches
 * of others forwards, protected ones and protected paths as the policy's mode says. Pure.
 */
export function judgePush(command: PushCommand, facts: RefFacts, policy: PushPolicy): PushVerdict {
  const { ref, after } = command;
  if (policy.defaultBranch === null)
    return refuse(
      'the remote does not say which branch is its default, so that none can be protected',
    );
  const verdict = ref.startsWith('refs/tags/')
    ? judgeTag(command, policy)
    : judgeBranch(command, facts, policy);
  if (verdict.kind === 'refuse' || isNothing(after)) return verdict;
  const byPath = judgePaths(facts.changes, policy.mode);
  return byPath.kind === 'allow' ? verdict : byPath;
}

const INSTEAD = 'push a branch of your own and open a pull request';

function judgeTag({ before, after }: PushCommand, { tags }: PushPolicy): PushVerdict {
  if (isNothing(after)) return refuse('sessions delete no tags');
  if (!isNothing(before)) return refuse('sessions move no tags; push one of a new name');
  if (tags === 'never')
    return refuse(
      'sessions push no tags here; the policy (tags) and push_tags in limits.toml would both have to allow it',
    );
  return tags === 'ask' ? ask('new tags are asked about') : ALLOW;
}

function judgeBranch(
  { ref, before, after }: PushCommand,
  { own, forward }: RefFacts,
  policy: PushPolicy,
): PushVerdict {
  if (!ref.startsWith('refs/heads/')) return refuse('sessions push branches, and nothing else');
  const branch = ref.slice('refs/heads/'.length);
  const made = isNothing(before);
  if (matchesAny(branch, policy.fixedBranches))
    return refuse(`limits.toml of this machine lets no session move ${branch}; ${INSTEAD}`);
  if (isTrunk(branch, policy)) {
    if (isNothing(after)) return refuse(`${branch} is protected, and no session deletes it`);
    if (!made && !forward) return refuse(`${branch} is protected, and moves forwards only`);
    return byMode(policy.mode, `${branch} is protected; ${INSTEAD}`, `${branch} is protected`);
  }
  if (made || forward) return ALLOW;
  if (own && policy.force === 'own') return ALLOW;
  if (own)
    return refuse(
      'the policy lets no session rewrite or delete what it pushed; push another branch',
    );
  return isNothing(after)
    ? refuse('this session did not make the branch, and so does not delete it')
    : refuse(
        'this session did not make the branch, and so does not rewrite it; push one of your own',
      );
}

/** Whether a branch is protected, by the spelling of a forge that does not tell letters apart. */
export function isTrunk(
  branch: string,
  { defaultBranch, protectedBranches }: Pick<PushPolicy, 'defaultBranch' | 'protectedBranches'>,
): boolean {
  if (branch.toLowerCase() === defaultBranch?.toLowerCase()) return true;
  return matchesAny(branch, protectedBranches);
}

/** Whether a branch is one of those that globs name, for gate and witness alike. */
export const matchesAny = (branch: string, globs: readonly string[]): boolean =>
  globs.some((glob) => picomatch.isMatch(branch, glob, BRANCH_GLOB));

function judgePaths(changes: Changes, mode: PushPolicy['mode']): PushVerdict {
  if (!changes.known) return refuse('what it would change cannot be told; push commits');
  if (changes.paths.length === 0) return ALLOW;
  const [first = '', ...rest] = changes.paths.map((path) => JSON.stringify(path).slice(1, -1));
  const named = rest.length === 0 ? first : `${first} and ${rest.length} more`;
  const why = `it changes ${named}, which is protected because it can act on the forge`;
  return byMode(mode, `${why}; leave it out of every commit, or ask a person to push it`, why);
}

function byMode(mode: PushPolicy['mode'], refusal: string, asked: string): PushVerdict {
  switch (mode) {
    case 'none':
    case 'pr':
      return refuse(refusal);
    case 'ask':
      return ask(asked);
    case 'merge':
      return ALLOW;
    default:
      return mode satisfies never;
  }
}

/** What kind of act a push of this ref is. */
export function kindOfPush({ ref, before, after }: PushCommand, { forward }: RefFacts): ActKind {
  if (isNothing(after)) return 'delete';
  if (ref.startsWith('refs/tags/')) return 'tag';
  return isNothing(before) || forward ? 'push' : 'force_push';
}
