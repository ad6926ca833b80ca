import { z } from 'zod';
import { branchText } from './git-names.ts';
import { sessionId } from './ids.ts';

/** How far work is taken: into a commit on the session's branch, to the remote, to a review there. */
export const LANDINGS = ['commit', 'push', 'pull_request'] as const;
export const landing = z.enum(LANDINGS);
export type Landing = z.infer<typeof landing>;

/**
 * How long whoever asks waits for a landing, in ms: a push goes over the network. The machine ends
 * it by itself so long before, that it is still heard how far it went.
 */
export const LAND_TIMEOUT_MS = 240_000;
export const LAND_MARGIN_MS = 45_000;

const commitMessage = z
  .string()
  .trim()
  .min(1, 'say what the commit does')
  .max(10_000)
  .regex(/^[^\p{Cc}\p{Cs}]*(?:[\n\t][^\p{Cc}\p{Cs}]*)*$/u, 'holds a character that is no text');

export const landRequest = z.object({
  /** The files as they were reviewed: others are not landed. */
  tree: z.string().regex(/^[0-9a-f]{40,64}$/),
  how: landing,
  /** Of the commit of what is in none yet; its first line is the title of a pull request. */
  message: commitMessage,
  /** Where a pull request goes; null is the remote's default branch. */
  base: branchText.nullable().default(null),
});
export type LandRequest = z.input<typeof landRequest>;

export const landed = z.object({
  sessionId,
  branch: z.string(),
  /** What the branch is at, in the person's repository too. */
  commit: z.string(),
  /** A commit was made of what was in none. */
  committed: z.boolean(),
  pushed: z.boolean(),
  /** Where the pull request is; null without one. */
  pullRequest: z.string().nullable(),
});
export type Landed = z.infer<typeof landed>;
