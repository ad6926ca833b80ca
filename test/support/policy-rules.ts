import { DEFAULT_POLICY, type MergePolicy } from '../../protocol/merge-policy.ts';
import { limitPolicy } from '../../runner/gate/policy.ts';
import type { ActRules } from '../../runner/gate/act-policy.ts';
import type { PolicyRules } from '../../runner/witness/breaches.ts';

/** A policy where the machine's own limits allow whatever it allows. */
export const rulesOf = (over: Partial<MergePolicy> = {}): PolicyRules =>
  limitPolicy(
    { ...DEFAULT_POLICY, ...over },
    { mergeAtMost: 'merge', pushTags: true, protectedBranches: [] },
  );

/** What acts are held to of a session that works on a branch of its own, of a remote with a main. */
export const actRulesOf = (
  policy: Partial<MergePolicy> = {},
  over: Partial<ActRules> = {},
): ActRules => ({
  policy: rulesOf(policy),
  heads: { origin: 'main' },
  branch: null,
  gated: false,
  ...over,
});
