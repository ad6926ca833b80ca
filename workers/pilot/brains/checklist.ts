import type { ChecklistStep, Evidence, PilotDecision } from '../../../protocol/pilot.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import type { Brain, BrainTools } from './brain.ts';
import { writeInstruction } from './instruction.ts';

/**
 * The brain without a model: it runs the checks of the objective's steps and makes what fails the
 * next instruction. It is done when all of them pass.
 */
export const checklistBrain: Brain = async ({ spec, objective, view }, tools) => {
  const witnessed = await runChecks(spec.brain.steps, tools);
  const decision = decideChecklist(objective, witnessed, isUnanswered(view));
  return { kind: 'decided', decision, witnessed };
};

/** Lets the machine run the checks, one after the other. */
export async function runChecks(
  steps: readonly ChecklistStep[],
  tools: Pick<BrainTools, 'runCheck'>,
): Promise<Evidence[]> {
  const witnessed: Evidence[] = [];
  for (const [index, step] of steps.entries()) witnessed.push(await tools.runCheck(step, index));
  return witnessed;
}

/** Whether an approval expired since the last instruction: nobody was there to answer. */
const isUnanswered = ({ approvalExpiredAt }: SessionView): boolean => Boolean(approvalExpiredAt);

/** Decides from the checks alone; `unanswered` is told to the engine, and proves nothing. */
export function decideChecklist(
  objective: string,
  checks: readonly Evidence[],
  unanswered = false,
): PilotDecision {
  const evidence = [...checks];
  const failing = checks.filter(({ passed }) => !passed);
  if (failing.length === 0)
    return {
      next: 'finish',
      reason: checks.length === 1 ? 'Its check passes.' : `All ${checks.length} checks pass.`,
      evidence,
    };
  const passing = checks.length - failing.length;
  return {
    next: 'instruct',
    instruction: writeInstruction(objective, failing, unanswered),
    reason:
      checks.length === 1
        ? `Its check ${nameSome(failing)} fails.`
        : `${passing} of ${checks.length} checks pass; ${nameSome(failing)} ${failing.length === 1 ? 'fails' : 'fail'}.`,
    evidence,
  };
}

const NAMED = 3;

function nameSome(failing: readonly Evidence[]): string {
  const names = failing.slice(0, NAMED).map(({ title }) => `“${title}”`);
  const rest = failing.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}
