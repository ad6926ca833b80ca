import picomatch from 'picomatch';

/** One ref that a push would change, as git sends it. */
export type PushCommand = { ref: string; before: string; after: string };

/** What is known of a ref beside the command. */
export type RefFacts = {
  /** The session made the branch on the remote. */
  own: boolean;
  /** What is there now is contained in what would be there. */
  forward: boolean;
};

export type PushPolicy = {
  /** The branch that the remote has checked out; null when it says none. */
  defaultBranch: string | null;
  /** Further branches that no session moves, as patterns. */
  protectedBranches: readonly string[];
  tags: boolean;
};

export type PushVerdict = { allowed: true } | { allowed: false; reason: string };

const NOTHING = /^0+$/;
export const isNothing = (commit: string): boolean => NOTHING.test(commit);

const no = (reason: string): PushVerdict => ({ allowed: false, reason });

/**
 * Decides whether a session may change a ref of the remote: branches of its own freely, branches
 * of others forwards, protected ones never. Pure.
 */
export function judgePush(
  { ref, before, after }: PushCommand,
  { own, forward }: RefFacts,
  policy: PushPolicy,
): PushVerdict {
  if (ref.startsWith('refs/tags/'))
    return policy.tags && isNothing(before)
      ? { allowed: true }
      : no('sessions push no tags here; push_tags in limits.toml allows new ones');
  if (!ref.startsWith('refs/heads/')) return no('sessions push branches, and nothing else');
  const branch = ref.slice('refs/heads/'.length);
  if (policy.defaultBranch === null)
    return no('the remote does not say which branch is its default, so that none can be protected');
  if (
    branch === policy.defaultBranch ||
    policy.protectedBranches.some((each) => picomatch.isMatch(branch, each))
  )
    return no(`${branch} is protected; push a branch of your own and open a pull request`);
  if (own || isNothing(before)) return { allowed: true };
  if (isNothing(after))
    return no('this session did not make the branch, and so does not delete it');
  return forward
    ? { allowed: true }
    : no('this session did not make the branch, and so does not rewrite it; push one of your own');
}
