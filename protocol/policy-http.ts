import { z } from 'zod';
import { runnerId } from './ids.ts';
import {
  mergePolicy,
  policyPart,
  policyScope,
  policySource,
  saidPolicyPart,
} from './merge-policy.ts';

/** Whose policy is asked for: of the account alone, or of launches in a directory of a machine. */
export const policyQuery = z
  .object({ runnerId: runnerId.optional(), directory: z.string().min(1).max(4096).optional() })
  .refine(({ runnerId: of, directory }) => (of === undefined) === (directory === undefined), {
    message: 'runnerId and directory go together',
  });
export type PolicyQuery = z.infer<typeof policyQuery>;

/** One version of what one scope says. */
export const policyVersion = z.object({
  ...policySource.shape,
  part: policyPart,
  /** Why it may say more than the wider scope; null: it only tightens. */
  widens: z.string().nullable(),
  savedBy: z.enum(['person', 'cli']),
  savedAt: z.int(),
});
export type PolicyVersion = z.infer<typeof policyVersion>;

export const policyDetail = z.object({
  /** What would hold for a launch now, before the machine's own limits. */
  policy: mergePolicy,
  /** The same in sentences. */
  words: z.array(z.string()),
  /** What each scope says, from the widest to the nearest. */
  layers: z.array(policyVersion),
});
export type PolicyDetail = z.infer<typeof policyDetail>;

export const policyHistory = z.object({ items: z.array(policyVersion) });

export const savePolicyRequest = z.object({
  /** A session's own part is given with its launch. */
  scope: policyScope.refine(({ kind }) => kind !== 'session', 'must be account or repository'),
  part: saidPolicyPart,
  widens: z.string().trim().min(1).max(500).nullable(),
  /** The version that was edited; 0 for the first. Another one since refuses the save. */
  basedOn: z.int().nonnegative(),
});
export type SavePolicyRequest = z.infer<typeof savePolicyRequest>;
