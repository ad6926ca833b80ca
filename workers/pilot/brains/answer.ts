import type { BrainAnswer } from '../../../protocol/brain-answer.ts';
import type { Evidence } from '../../../protocol/pilot.ts';

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
