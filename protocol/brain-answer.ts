import { z } from 'zod';
import type { SessionId, TurnId } from './ids.ts';
import { usageEntry } from './usage.ts';

/**
 * A decision as a model answers it: flat and with every field, which all providers can be held to.
 * It has no evidence: a model can claim none.
 */
export const brainAnswer = z.object({
  next: z.enum(['instruct', 'finish', 'ask_human', 'wait_until']),
  instruction: z.string().nullable().describe('the next instruction, for instruct; else null'),
  waitMinutes: z.number().nullable().describe('minutes to wait, for wait_until; else null'),
  reason: z.string().describe('one or two sentences'),
});
export type BrainAnswer = z.infer<typeof brainAnswer>;

const usage = z.array(usageEntry);

/** What a session's own engine answered to a question beside its conversation. */
export const brainReply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), answer: brainAnswer, usage }),
  /** It was asked, and nothing that can be used came of it. */
  z.object({ kind: z.literal('undecided'), problem: z.string(), usage }),
  /** It cannot answer now: after so long it may, in ms; null needs a person first. */
  z.object({
    kind: z.literal('unavailable'),
    reason: z.string(),
    waitMs: z.int().nonnegative().nullable(),
    usage,
  }),
]);
export type BrainReply = z.infer<typeof brainReply>;

/** Names what asking a session's brain in a step takes, as a turn's id names a turn. */
export const brainTurnOf = (sessionId: SessionId, step: number): TurnId =>
  `trn_b${sessionId.slice('ses_'.length)}${step.toString(32)}` as TurnId;

/** Most characters of a question, and of what the one who answers is told beforehand. */
export const BRAIN_PROMPT_CHARS = 120_000;
export const BRAIN_SYSTEM_CHARS = 10_000;
/** Longest time that an engine may take for one answer, in ms. */
export const BRAIN_TIMEOUT_MAX_MS = 10 * 60_000;
