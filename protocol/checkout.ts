import { z } from 'zod';
import { sessionId } from './ids.ts';
import { engineId } from './engine-id.ts';

/**
 * Whether a checkout may go: `open` belongs to a session that is not over, `safe` would lose
 * nothing, `unsaved` would lose what its `losses` name.
 */
const checkoutStanding = z.enum(['open', 'safe', 'unsaved']);

/** A session's own checkout, as the machine finds it when it is asked. */
export const checkoutFacts = z.object({
  sessionId,
  title: z.string(),
  engineId,
  /** Top of the person's repository that it was made from. */
  repository: z.string(),
  directory: z.string(),
  branch: z.string(),
  /** On the disk; null when measuring took too long. */
  bytes: z.int().nonnegative().nullable(),
  /** When its engine last started, and when the checkout goes by itself if nothing is lost. */
  startedAt: z.int(),
  expiresAt: z.int(),
  standing: checkoutStanding,
  /** What removing would lose, each as a sentence. */
  losses: z.array(z.string()),
});
export type CheckoutFacts = z.infer<typeof checkoutFacts>;

export const checkoutPage = z.object({
  items: z.array(checkoutFacts),
  nextCursor: z.string().nullable(),
});
export type CheckoutPage = z.infer<typeof checkoutPage>;

export const checkoutRemoved = z.object({
  sessionId,
  /** What it held on the disk; null when measuring took too long. */
  bytes: z.int().nonnegative().nullable(),
});
export type CheckoutRemoved = z.infer<typeof checkoutRemoved>;
