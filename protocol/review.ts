import { z } from 'zod';
import { sessionId } from './ids.ts';

/** A longer list of files is cut, and says by how much. */
export const REVIEW_FILES_MAX = 1_000;
/** Beyond this a file's patch is cut, and says by how much, in characters. */
export const PATCH_MAX_CHARS = 200_000;

export const objectId = z.string().regex(/^[0-9a-f]{40,64}$/);
const path = z.string().min(1).max(4096);

/** One file that differs from where the session began. */
export const reviewedFile = z.object({
  path,
  /** Where it was before, when it moved; else null. */
  was: z.string().nullable(),
  change: z.enum(['added', 'deleted', 'edited', 'renamed']),
  /** Lines; null for a file that is no text. */
  additions: z.int().nonnegative().nullable(),
  deletions: z.int().nonnegative().nullable(),
});
export type ReviewedFile = z.infer<typeof reviewedFile>;

/** Everything that a session changed in its checkout, committed or not, since it began there. */
export const checkoutReview = z.object({
  sessionId,
  branch: z.string(),
  /** The commit that it began at. */
  base: objectId,
  /** Where its branch is now. */
  head: objectId,
  /** What the files are now, those in no commit included: the same tree is the same files. */
  tree: objectId,
  commits: z.int().nonnegative(),
  uncommittedFiles: z.int().nonnegative(),
  /** By path. */
  files: z.array(reviewedFile).max(REVIEW_FILES_MAX),
  /** Files beyond those listed. */
  moreFiles: z.int().nonnegative(),
});
export type CheckoutReview = z.infer<typeof checkoutReview>;

/** What a session changed; or that it is at work there, so that nothing can be said of it yet. */
export const changesAnswer = z.union([checkoutReview, z.object({ working: z.literal(true) })]);

/** A file of a review, which must still be the same: the files have not changed since. */
export const patchQuery = z.object({
  tree: objectId,
  path,
  /** Where the review has it from, when it moved. */
  was: path.optional(),
});
export type PatchQuery = z.infer<typeof patchQuery>;

export const reviewedPatch = z.object({
  path: z.string(),
  /** Unified, from the base to the tree, with secrets redacted; empty where nothing differs as text. */
  patch: z.string(),
  /** Characters that were left off at the end. */
  cutChars: z.int().nonnegative(),
});
export type ReviewedPatch = z.infer<typeof reviewedPatch>;
