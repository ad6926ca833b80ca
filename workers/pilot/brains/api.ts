import type { PilotSpec } from '../../../protocol/pilot.ts';
import { decisionOf } from './answer.ts';
import type { Brain } from './brain.ts';
import { budgetReached } from './budget.ts';
import { runChecks } from './checklist.ts';
import { ANSWER_MS, askModel } from './model.ts';
import { SYSTEM, writePrompt } from './prompt.ts';

/**
 * The brain that asks a model from the server. The machine runs the checks first: what the model
 * decides is measured by them, and a finish is proved by nothing else.
 */
export const apiBrain: Brain = async (input, tools) => {
  const { keyId, model } = specOf(input.spec);
  const spent = budgetReached(input.view);
  if (spent !== null) return { kind: 'unavailable', reason: spent, retryAt: null };
  // Before the checks, which may take long: without the key nothing comes of them.
  const key = await tools.openKey(keyId);
  const witnessed = await runChecks(input.spec.brain.steps, tools);
  const prompt = writePrompt({
    objective: input.objective,
    checks: witnessed,
    entries: await tools.readRecord(),
    turns: { used: input.view.turns.length, max: input.spec.bounds.maxTurns },
    problem: input.problem,
  });
  const reply = await askModel({ key, model, system: SYSTEM, prompt, timeoutMs: ANSWER_MS });
  const usage = reply.usage ?? undefined;
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
};

function specOf({ brain }: PilotSpec) {
  if (brain.kind !== 'api') throw new Error(`A ${brain.kind} brain was asked as one of an API.`);
  return brain;
}
