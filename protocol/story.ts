import { z } from 'zod';
import { forkPoint } from './fork.ts';
import { sessionId, turnId } from './ids.ts';
import { turnOutcome } from './turn-outcome.ts';

/** Turns that are remembered at all. */
export const STORY_MAX_TURNS = 50;

/** One turn as a brief tells it; secrets are out of the answer, as of everything in a record. */
export const toldTurn = z.object({
  turnId,
  asked: z.string(),
  answer: z.string(),
  /** Commands that reach beyond the files, whether they came to something or not. */
  acts: z.array(z.string()).readonly(),
  outcome: turnOutcome.nullable(),
});
export type ToldTurn = z.infer<typeof toldTurn>;

/** Turns, the newest last, as an engine that does not remember them is told of them. */
export const story = z.array(toldTurn).max(STORY_MAX_TURNS).readonly();
export type Story = z.infer<typeof story>;

/** The session that another one goes on from, as the cloud's record had it at the launch. */
export const earlierWork = z.object({
  sessionId,
  /** The branch that its commits are on, where it had a checkout of its own. */
  branch: z.string().nullable(),
  story,
  /** It has that session's files too, as they were then; absent where it has the record alone. */
  fork: forkPoint.optional(),
});
export type EarlierWork = z.infer<typeof earlierWork>;
