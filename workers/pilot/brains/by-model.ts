import type { BrainReply } from '../../../protocol/brain-answer.ts';
import { decisionOf } from './answer.ts';
import type { BrainInput, BrainOutcome, BrainTools } from './brain.ts';
import { budgetReached } from './budget.ts';
import { runChecks } from './checklist.ts';
import { writePrompt } from './prompt.ts';

/** Longest time that one answer may take, in ms. */
export const ANSWER_MS = 120_000;

/**
 * Decides by a model, whoever asks it. The machine runs the checks first: what the model decides is
 * measured by them, and a finish is proved by nothing else. `prepare` is what would be in vain to
 * find out after the checks, which may take long; it gives back who is asked.
 */
export async function decideByModel(
  input: BrainInput,
  tools: BrainTools,
  prepare: () => Promise<(prompt: string) => Promise<BrainReply>>,
): Promise<BrainOutcome> {
  const spent = budgetReached(input.view);
  if (spent !== null) return { kind: 'unavailable', reason: spent, retryAt: null };
  const ask = await prepare();
  const witnessed = await runChecks(input.spec.brain.steps, tools);
  const prompt = writePrompt({
    objective: input.objective,
    checks: witnessed,
    entries: await tools.readRecord(),
    turns: { used: input.view.turns.length, max: input.spec.bounds.maxTurns },
    problem: input.problem,
  });
  const reply = await ask(prompt);
  const { usage } = reply;
  switch (reply.kind) {
    case 'answered': {
      const decision = decisionOf(reply.answer, witnessed, tools.nowMs());
      return { kind: 'decided', decision, witnessed, usage };
    }
    case 'undecided':
      return { kind: 'undecided', problem: reply.problem, usage };
    case 'unavailable': {
      const retryAt = reply.waitMs === null ? null : tools.nowMs() + reply.waitMs;
      return { kind: 'unavailable', reason: reply.reason, retryAt, usage };
    }
    default:
      return reply satisfies never;
  }
}
