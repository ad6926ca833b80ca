import type { PolicyMode } from '../../protocol/merge-policy.ts';
import type { PullRequestAsk } from './ask.ts';

/** A branch of the remote that the session made, and where it is; null when it is gone. */
export type OwnBranch = { name: string; tip: string | null };

/** What is known of the remote. */
export type BranchFacts = {
  own: readonly OwnBranch[];
  defaultBranch: string | null;
  /** Whether the remote has a branch of this name. */
  has(name: string): boolean;
};

export type PullRequestVerdict =
  | { ok: true; head: string; base: string }
  | { ok: false; head: string | null; reason: string };

const PUSH_FIRST =
  'push it first: git push origin HEAD:NAME, then ask again and name it (gh pr create --head NAME)';

/**
 * Decides whether a pull request may be opened, and from which branch into which: only from one
 * that the session made through the gate, and where the policy lets it open any. Pure.
 */
export function decidePullRequest(
  ask: Pick<PullRequestAsk, 'head' | 'base' | 'local' | 'commit'>,
  facts: BranchFacts,
  mode: PolicyMode,
): PullRequestVerdict {
  const head = findHead(ask, facts.own);
  const refuse = (reason: string): PullRequestVerdict => ({ ok: false, head, reason });
  if (mode === 'none')
    return refuse(
      'the policy lets this session open no pull requests; name the branch to the person, who opens it',
    );
  if (head === null) return refuse(sayNoHead(ask, facts.own));
  if (!facts.own.some(({ name }) => name === head))
    return refuse(`this session did not push ${head} through the gate; ${PUSH_FIRST}`);
  const base = ask.base ?? facts.defaultBranch;
  if (base === null)
    return refuse('the remote does not say which branch is its default; name one with --base');
  const fault = sayBaseFault(head, base, facts);
  return fault === null ? { ok: true, head, base } : refuse(fault);
}

/** Why nothing of a branch goes into another; null where it may. Pure. */
export function sayBaseFault(
  head: string,
  base: string,
  facts: Pick<BranchFacts, 'has'>,
): string | null {
  if (base === head) return `${head} cannot be merged into itself; name another --base`;
  return facts.has(base)
    ? null
    : `the remote has no branch ${base}; name one that it has with --base`;
}

/** The branch that was meant: by its name, or by what is checked out. Pure. */
export function findHead(
  { head, local, commit }: Pick<PullRequestAsk, 'head' | 'local' | 'commit'>,
  own: readonly OwnBranch[],
): string | null {
  if (head !== null) return head;
  if (own.some(({ name }) => name === local)) return local;
  const same = own.filter(({ tip }) => commit !== null && tip === commit);
  return same.length === 1 ? (same[0]?.name ?? null) : null;
}

function sayNoHead(
  { local, commit }: Pick<PullRequestAsk, 'local' | 'commit'>,
  own: readonly OwnBranch[],
) {
  const same = own.filter(({ tip }) => commit !== null && tip === commit);
  if (same.length > 1)
    return `${same.map(({ name }) => name).join(' and ')} are at this commit; say which one with --head`;
  return `${local ?? 'what is checked out'} is on no branch that this session pushed as it is now; ${PUSH_FIRST}`;
}
