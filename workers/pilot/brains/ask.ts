import { PilothouseError } from '../../../protocol/errors.ts';
import { type BrainSpec, pilotDecision } from '../../../protocol/pilot.ts';
import { takenAgainAt } from '../core/budget-wait.ts';
import type { PilotEvent } from '../core/state.ts';
import { apiBrain } from './api.ts';
import type { Brain, BrainInput, BrainOutcome, BrainTools } from './brain.ts';
import { checklistBrain } from './checklist.ts';
import { engineBrain } from './engine.ts';

const BRAINS: Record<BrainSpec['kind'], Brain> = {
  checklist: checklistBrain,
  engine: engineBrain,
  api: apiBrain,
};

type BrainEvent = Extract<PilotEvent, { type: 'decided' | 'undecided' | 'unavailable' }>;

/** Asks the run's brain, and makes whatever it comes to an event of the run. */
export async function askBrain(
  input: BrainInput,
  tools: BrainTools,
  brain: Brain = BRAINS[input.spec.brain.kind],
): Promise<BrainEvent> {
  const outcome = await brain(input, tools).catch((error: unknown) => outcomeOf(error, tools));
  const at = tools.nowMs();
  const used = outcome.usage?.length ? { usage: outcome.usage } : {};
  if (outcome.kind === 'unavailable')
    return {
      type: 'unavailable',
      at,
      reason: outcome.reason,
      retryAt: outcome.retryAt,
      ...(outcome.away && { away: true }),
      ...used,
    };
  if (outcome.kind === 'undecided')
    return { type: 'undecided', at, problem: outcome.problem, ...used };
  const parsed = pilotDecision.safeParse(outcome.decision);
  if (parsed.success)
    return { type: 'decided', at, decision: parsed.data, witnessed: outcome.witnessed, ...used };
  const issue = parsed.error.issues[0];
  const problem = `The decision is not in the expected form (${issue?.path.join('.') || 'decision'}: ${issue?.message}).`;
  return { type: 'undecided', at, problem, ...used };
}

/** A refusal is of the machine or of a person's limits. A fault is ours, and goes to the driver. */
function outcomeOf(error: unknown, tools: BrainTools): BrainOutcome {
  if (!(error instanceof PilothouseError) || error.code === 'internal') throw error;
  const away = error.code === 'runner_offline' || error.code === 'runner_timeout' || undefined;
  return {
    kind: 'unavailable',
    reason: error.message,
    retryAt: away ? tools.nowMs() : takenAgainAt(error, tools.nowMs()),
    ...(away && { away }),
  };
}
