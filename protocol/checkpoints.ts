import { z } from 'zod';
import { sessionId, turnId } from './ids.ts';
import { objectId } from './review.ts';

/** More are not kept of one session: the oldest goes first. */
export const CHECKPOINTS_MAX = 200;

/** The files of a session's checkout as they were once, those in no commit included. */
export const checkpoint = z.object({
  /** The same tree is the same files. */
  tree: objectId,
  /** Unix ms. */
  at: z.int(),
  /** Before its first turn; after a turn; or before a person put the files back. */
  kind: z.enum(['start', 'turn', 'rewind']),
  /** The turn that was over then; null for the other kinds. */
  turnId: turnId.nullable(),
  /** The commit that was checked out then; absent in those of earlier versions. */
  commit: objectId.optional(),
});
export type Checkpoint = z.infer<typeof checkpoint>;

/** Newest first. */
export const checkpointList = z.object({ items: z.array(checkpoint).max(CHECKPOINTS_MAX) });

export const rewindRequest = z.object({
  /** Of one of the session's checkpoints. */
  tree: objectId,
});
export type RewindRequest = z.infer<typeof rewindRequest>;

export const rewound = z.object({
  sessionId,
  /** What the files are now. */
  tree: objectId,
  /** What they were before, which is a checkpoint too: going there takes it back. */
  was: objectId,
  /** Files that are others now. */
  files: z.int().nonnegative(),
});
export type Rewound = z.infer<typeof rewound>;
