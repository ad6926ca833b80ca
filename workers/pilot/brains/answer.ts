import { z } from 'zod';
import type { Evidence } from '../../../protocol/pilot.ts';

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

const MINUTE_MS = 60_000;

/** The answer as a decision, not checked yet: who asked checks it by its schema. */
export function decisionOf(
  { next, instruction, waitMinutes, reason }: BrainAnswer,
  evidence: readonly Evidence[],
  nowMs: number,
): unknown {
  const why = { reason, evidence };
  switch (next) {
    case 'instruct':
      return { next, instruction: instruction ?? '', ...why };
    case 'wait_until':
      return { next, until: nowMs + Math.round((waitMinutes ?? 0) * MINUTE_MS), ...why };
    case 'finish':
    case 'ask_human':
      return { next, ...why };
    default:
      return next satisfies never;
  }
}
