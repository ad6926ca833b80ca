import type { PilotSpec } from '../../../protocol/pilot.ts';
import type { Brain } from './brain.ts';
import { ANSWER_MS, decideByModel } from './by-model.ts';
import { askModel, callOf } from './model.ts';
import { SYSTEM } from './prompt.ts';

/** The brain that asks a model from the server. */
export const apiBrain: Brain = (input, tools) => {
  const { keyId, model } = specOf(input.spec);
  return decideByModel(input, tools, async () => {
    const key = await tools.openKey(keyId);
    return async (prompt) => {
      const question = { key, model, system: SYSTEM, prompt, timeoutMs: ANSWER_MS };
      await tools.reserveCall(callOf(question));
      const reply = await askModel(question);
      // What was paid for is on record, whatever the answer is worth.
      await (reply.usage ? tools.recordUsage(reply.usage) : tools.releaseCall());
      return { ...reply, usage: reply.usage ? [reply.usage] : [] };
    };
  });
};

function specOf({ brain }: PilotSpec) {
  if (brain.kind !== 'api') throw new Error(`A ${brain.kind} brain was asked as one of an API.`);
  return brain;
}
