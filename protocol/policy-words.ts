import { CAPPED_SENTENCE } from './engine-authority.ts';
import {
  DEFAULT_POLICY,
  findHeldBack,
  mergePolicies,
  type MergePolicy,
  type PolicyLayer,
  type PolicySnapshot,
} from './merge-policy.ts';
import { DEFAULT_PROTECTED_PATHS, DEFAULT_TOOL_RULES, type ToolRule } from './policy-defaults.ts';

/** What a policy means, as sentences that a person reads before they rely on it. */
export function describePolicy(policy: MergePolicy): string[] {
  const branches = ['the default branch', ...policy.protectedBranches].join(', ');
  return [
    ...mergeSentences(policy.mode, branches),
    ...pathSentences(policy),
    policy.force === 'own'
      ? 'May rewrite and delete branches that it made itself.'
      : 'May not rewrite or delete anything that was pushed.',
    TAG_SENTENCES[policy.tags],
    ...toolSentences(policy.tools),
  ];
}

/**
 * What a launch may do once a scope says what a draft does, in sentences, and what of it has no
 * effect; `wider` is what holds around that scope. Pure.
 */
export function previewPolicy(wider: MergePolicy, layer: PolicyLayer) {
  const policy = mergePolicies([layer], wider);
  return { policy, words: describePolicy(policy), heldBack: findHeldBack(wider, layer) };
}

/** The same of the policy of a session, and why its engine may use less than its scopes allow. */
export function describeSnapshot(snapshot: PolicySnapshot | null): string[] {
  const words = describePolicy(snapshot?.policy ?? DEFAULT_POLICY);
  return snapshot?.capped ? [...words, CAPPED_SENTENCE] : words;
}

/** What a retry says of a policy that became stricter since the launch; empty where it did not. */
export function describeTightened(snapshot: PolicySnapshot | undefined): string {
  if (!snapshot) return '';
  return `The merge policy is stricter than at the launch: ${describePolicy(snapshot.policy).join(' ')}`;
}

const TAG_SENTENCES = {
  never: 'May not push tags.',
  ask: 'Leaves new tags to a person.',
  new: 'May push new tags.',
} as const;

function mergeSentences(mode: MergePolicy['mode'], branches: string): string[] {
  switch (mode) {
    case 'none':
      return ['May not open pull requests.', `May not push to ${branches}.`];
    case 'pr':
      return ['May open pull requests.', `May not push to ${branches}.`];
    case 'ask':
      return ['May open pull requests.', `Leaves each push to ${branches} to a person.`];
    case 'merge':
      return ['May open pull requests.', `May push to ${branches}, forwards only.`];
    default:
      return mode satisfies never;
  }
}

function pathSentences({ mode, protectedPaths }: MergePolicy): string[] {
  if (protectedPaths.length === 0) return [];
  const usual = new Set(DEFAULT_PROTECTED_PATHS);
  const further = protectedPaths.filter((path) => !usual.has(path));
  const allUsual = DEFAULT_PROTECTED_PATHS.every((path) => protectedPaths.includes(path));
  const named = allUsual
    ? ['workflows and other files that act on the forge', ...further]
    : protectedPaths;
  const paths = named.join(', ');
  if (mode === 'ask') return [`Leaves pushes of changes of ${paths} to a person.`];
  return [`${mode === 'merge' ? 'May' : 'May not'} push changes of ${paths}.`];
}

function toolSentences(rules: readonly ToolRule[]): string[] {
  const usual = new Set(DEFAULT_TOOL_RULES.map((rule) => JSON.stringify(rule)));
  const present = new Set(rules.map((rule) => JSON.stringify(rule)));
  const allUsual = [...usual].every((rule) => present.has(rule));
  const further = allUsual ? rules.filter((rule) => !usual.has(JSON.stringify(rule))) : rules;
  const told = further.map(
    ({ effect, on, pattern }) => `${VERBS[effect]} ${NOUNS[on]} ${pattern}.`,
  );
  return allUsual ? ['May not read or change .env and files of credentials.', ...told] : told;
}

const VERBS = { deny: 'May not', ask: 'Asks before it may', allow: 'May, unasked,' } as const;
const NOUNS = {
  file: 'read or change',
  edit: 'change',
  command: 'run',
  tool: 'use the tool',
} as const;
