import picomatch from 'picomatch/posix';
import type { ActKind } from '../../protocol/act.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import { BRANCH_GLOB, TRUNKS } from '../../protocol/policy-globs.ts';
import type { ForeseenAct, TerminalLooked } from '../../protocol/terminal-command.ts';

export type ActsDecision = { effect: 'allow' | 'ask' | 'deny'; reason: string };

const NOTHING: ActsDecision = { effect: 'allow', reason: '' };
const STRICTEST = ['deny', 'ask', 'allow'] as const;

/**
 * What the merge policy says of what a call would do. In a person's own terminal nothing stands
 * between a command and the remote, and branches are known by what the command says alone: what
 * cannot be told of it is asked about. Pure.
 */
export function decidePolicy(
  { acts, ruled }: Pick<TerminalLooked, 'acts' | 'ruled'>,
  policy: MergePolicy,
): ActsDecision {
  const decisions = acts.map((act) => decideAct(act, policy));
  if (ruled && ruled.effect !== 'allow')
    decisions.push({ effect: ruled.effect, reason: `merge policy: ${ruled.pattern}` });
  for (const effect of STRICTEST) {
    const found = decisions.find((decision) => decision.effect === effect);
    if (found && effect !== 'allow') return found;
  }
  return NOTHING;
}

function decideAct(act: ForeseenAct, policy: MergePolicy): ActsDecision {
  const say = (effect: ActsDecision['effect'], by: string): ActsDecision => ({
    effect,
    reason: `merge policy (${by}) on ${act.kind}${act.target ? ` ${act.target}` : ''}`,
  });
  const byMode = () =>
    say(
      ({ none: 'deny', pr: 'deny', ask: 'ask', merge: 'allow' } as const)[policy.mode],
      policy.mode,
    );
  switch (act.kind) {
    case 'merge':
      return byMode();
    case 'push': {
      const branches = branchesOf(act);
      const decided = branches.some((branch) => isTrunk(branch, policy)) ? byMode() : NOTHING;
      const told = branches.length > 0 && !act.uncertain && branches.every(isNamed);
      return told || decided.effect !== 'allow'
        ? decided
        : say('ask', 'which branch cannot be told');
    }
    case 'force_push':
      return policy.force === 'never' ? say('deny', 'force never') : say('ask', 'force own');
    case 'tag':
      return say(
        ({ never: 'deny', ask: 'ask', new: 'allow' } as const)[policy.tags],
        `tags ${policy.tags}`,
      );
    case 'pull_request':
      return policy.mode === 'none' ? say('deny', 'none') : NOTHING;
    case 'pull_request_close':
    case 'comment':
    case 'commit':
      return NOTHING;
    case 'delete':
    case 'release':
    case 'publish':
    case 'deploy':
    case 'infrastructure':
    case 'migration':
    case 'drop':
    case 'remove':
    case 'secret_read':
    case 'permission':
      return policy.mode === 'merge' ? NOTHING : say('ask', policy.mode);
    default:
      return act.kind satisfies never;
  }
}

/** The branches of a push: what its target says after the remote. */
const branchesOf = ({ target }: ForeseenAct): string[] => (target ?? '').split(/\s+/).slice(1);

/** Whether a push says by itself which branch it moves: `HEAD` is whichever is checked out there. */
const isNamed = (branch: string): boolean => !/^(HEAD|@)$|[*~^]|@\{/i.test(branch);

const isTrunk = (branch: string, { protectedBranches }: MergePolicy): boolean =>
  TRUNKS.has(branch.toLowerCase()) || picomatch.isMatch(branch, protectedBranches, BRANCH_GLOB);

/** The kinds of what would be done, each once. */
export const kindsOf = (acts: readonly ForeseenAct[]): ActKind[] => [
  ...new Set(acts.map(({ kind }) => kind)),
];
