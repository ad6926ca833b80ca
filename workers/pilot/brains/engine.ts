import type { PilotSpec } from '../../../protocol/pilot.ts';
import type { Brain } from './brain.ts';
import { decideByModel } from './by-model.ts';
import { SYSTEM } from './prompt.ts';

/**
 * The brain that asks the session's own engine, beside its conversation: no key of ours is needed.
 * The machine puts what it took on the session's record.
 */
export const engineBrain: Brain = (input, tools) => {
  const { model } = specOf(input.spec);
  return decideByModel(
    input,
    tools,
    async () => (prompt) => tools.askEngine({ system: SYSTEM, prompt, model }),
  );
};

function specOf({ brain }: PilotSpec) {
  if (brain.kind !== 'engine') throw new Error(`A ${brain.kind} brain was asked as an engine.`);
  return brain;
}
