import { DEFAULT_POLICY, type MergePolicy } from '../../protocol/merge-policy.ts';
import { limitPolicy } from '../../runner/gate/policy.ts';
import type { PolicyRules } from '../../runner/witness/breaches.ts';

/** A policy where the machine's own limits allow whatever it allows. */
export const rulesOf = (over: Partial<MergePolicy> = {}): PolicyRules =>
  limitPolicy(
    { ...DEFAULT_POLICY, ...over },
    { mergeAtMost: 'merge', pushTags: true, protectedBranches: [] },
  );
