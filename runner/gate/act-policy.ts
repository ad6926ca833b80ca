import type { ActKind } from '../../protocol/act.ts';
import type { ClassifiedAct } from '../acts/classify.ts';
import {
  judgePush,
  type PushCommand,
  type PushPolicy,
  type PushVerdict,
  type RefFacts,
} from './policy.ts';

/** What the acts of a session are held to before they happen, as JSON. */
export type ActRules = {
  policy: Omit<PushPolicy, 'defaultBranch'>;
  /** The default branch of each remote by its name, as far as the remotes said. */
  heads: Readonly<Record<string, string>>;
  /** What was checked out where the session works in place; null where nothing says so. */
  branch: string | null;
  /** The runner's gate judges each push, so that only what is certain is judged before it. */
  gated: boolean;
};

export type Forbidden = Exclude<PushVerdict, { kind: 'allow' }>;

/** A command that asks a forge, which then moves a ref by itself to a commit of its own making. */
export const asksForge = ({ command }: Pick<ClassifiedAct, 'command'>): boolean =>
  /^(gh|glab|tea|hub|curl|wget|xh)\b/.test(command);

/** What the policy says of an act that a forge is asked for; null where it has nothing against it. */
export function judgeForge(
  { kind, command }: Pick<ClassifiedAct, 'kind' | 'command'>,
  { mode, tags }: Pick<PushPolicy, 'mode' | 'tags'>,
): Forbidden | null {
  switch (kind) {
    case 'merge':
      if (mode === 'merge') return null;
      return mode === 'ask'
        ? { kind: 'ask', reason: 'merges are asked about' }
        : { kind: 'refuse', reason: 'the session may not merge' };
    case 'pull_request':
      return mode === 'none'
        ? { kind: 'refuse', reason: 'the session may not open pull requests' }
        : null;
    case 'release':
      if (tags === 'new' || !/\bcreate\b/.test(command)) return null;
      return tags === 'ask'
        ? { kind: 'ask', reason: 'new tags are asked about, and a release makes one' }
        : { kind: 'refuse', reason: 'the session may not push tags, and a release makes one' };
    default:
      return null;
  }
}

/**
 * What the policy says of a command line's acts before it runs: the strictest of what their words
 * say for certain. Null is no objection, and no proof either: a word that cannot be seen, a hook or
 * a script is left to the gate, and to whoever compares the refs. Pure.
 */
export function judgeActs(acts: readonly ClassifiedAct[], rules: ActRules): Forbidden | null {
  const verdicts = acts.filter(({ uncertain }) => !uncertain).flatMap((act) => judge(act, rules));
  const refused = verdicts.find(({ kind }) => kind === 'refuse');
  // What the gate would ask a person, it asks by itself, with what would change before their eyes.
  return refused ?? (rules.gated ? null : (verdicts[0] ?? null));
}

function judge(act: ClassifiedAct, rules: ActRules): Forbidden[] {
  if (act.push) return judgeRefs(act.kind, act.push, rules);
  const verdict = asksForge(act) ? judgeForge(act, rules.policy) : null;
  return verdict ? [verdict] : [];
}

/** Where a remote does not say which branch is its default, these are taken for it. */
const CONVENTIONAL = ['main', 'master'];

/** What others build on at a remote by its name; of one that nobody knows, what they do elsewhere. */
function trunksOf(remote: string, { heads }: Pick<ActRules, 'heads'>): readonly string[] {
  const known = Object.values(heads);
  // A remote may be named as what every object has.
  const own = Object.hasOwn(heads, remote) ? heads[remote] : undefined;
  return own !== undefined ? [own] : known.length > 0 ? known : CONVENTIONAL;
}

/** What the policy says of one ref of a push to a remote by its name, with all that is known of it. */
export function judgePushTo(
  remote: string,
  command: PushCommand,
  facts: RefFacts,
  rules: ActRules,
): PushVerdict {
  const verdicts = trunksOf(remote, rules).map((defaultBranch) =>
    judgePush(command, facts, { ...rules.policy, defaultBranch }),
  );
  const against = (kind: Forbidden['kind']) => verdicts.find((each) => each.kind === kind);
  return against('refuse') ?? against('ask') ?? { kind: 'allow' };
}

function judgeRefs(
  kind: ActKind,
  { remote, refs }: NonNullable<ClassifiedAct['push']>,
  rules: ActRules,
): Forbidden[] {
  const trunks = trunksOf(remote ?? 'origin', rules);
  const judgeOne = (name: string): Forbidden[] =>
    trunks.flatMap((defaultBranch) => {
      const verdict = judgeRef(kind, name, rules.gated, { ...rules.policy, defaultBranch });
      return verdict.kind === 'allow' ? [] : [verdict];
    });
  const named = refs.filter(isName).flatMap(judgeOne);
  const { branch } = rules;
  if (branch === null || (refs.length > 0 && refs.every(isName))) return named;
  return [...named, ...judgeOne(branch).map((verdict) => sayImplied(verdict, branch))];
}

/** Whether a word of a push says which ref it is about: what is checked out, and `*`, do not. */
const isName = (ref: string): boolean => ref !== '' && !/^(HEAD|@)$|\*/.test(ref);

const sayImplied = ({ kind }: Forbidden, branch: string): Forbidden => ({
  kind,
  reason: `it names no branch, and ${branch}, which was checked out when the session began, is protected; name the one that you mean: git push origin HEAD:NAME`,
});

const NOTHING = '0'.repeat(40);
const [EARLIER, LATER] = ['1'.repeat(40), '2'.repeat(40)];

/** One ref of a push as its words say it; what they leave open is taken to be in order. */
function judgeRef(kind: ActKind, name: string, gated: boolean, policy: PushPolicy): PushVerdict {
  const after = kind === 'delete' ? NOTHING : LATER;
  const changes = { known: true as const, paths: [] };
  if (kind === 'tag' || name.startsWith('refs/tags/')) {
    const before = kind === 'delete' ? EARLIER : NOTHING;
    const ref = `refs/tags/${name.replace(/^refs\/tags\//, '')}`;
    return judgePush({ ref, before, after }, { own: true, forward: true, changes }, policy);
  }
  const branch = name.replace(/^(refs\/)?heads\//, '');
  const forward = kind !== 'delete' && (kind !== 'force_push' || gated);
  const command = { ref: `refs/heads/${branch}`, before: EARLIER, after };
  return judgePush(command, { own: true, forward, changes }, policy);
}
