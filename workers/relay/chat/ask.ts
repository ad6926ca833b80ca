import { budgetReachedBy } from './budget.ts';
import type { AskedCall } from '../../../protocol/call-bound.ts';
import type { ChatEntry } from '../../../protocol/operator-chat.ts';
import { openKeyForAgent } from '../../pilot/ports.ts';
import type { Env } from '../../env.ts';
import type { InstanceRead } from '../../operators/read.ts';
import { messagesOf } from './messages.ts';
import { type AgentReply, askAgent, callOf } from './model.ts';
import { systemPrompt } from './prompt.ts';
import { modelTools } from './tools.ts';

export type Asking = {
  entries: readonly ChatEntry[];
  spend: { spentMicroUsd: number; unpriced: number };
  /** Holds what the call can come to of the account's budgets; a sentence where they do not cover it. */
  reserve(call: AskedCall): Promise<string | null>;
  /** Puts on record that this model is being asked: from here on it may be charged. */
  begin(model: string): void;
  signal: AbortSignal;
};

const unavailable = (reason: string): AgentReply => ({
  kind: 'unavailable',
  reason,
  waitMs: null,
  usage: null,
});

/** Asks the instance's model for the next step, within its budget. */
export async function askNext(
  env: Env,
  read: InstanceRead,
  { entries, spend, reserve, begin, signal }: Asking,
): Promise<AgentReply> {
  const { brain, state, budgetMicroUsd } = read.instance;
  if (state !== 'active')
    return unavailable(`This operator is ${state}. Resume it, then say how to go on.`);
  if (!brain)
    return unavailable(
      'This operator has no model. Choose a key and a model on its page, then say how to go on.',
    );
  const key = await openKeyForAgent(env, read.accountId, brain.keyId);
  const over = budgetReachedBy(brain.model, spend, budgetMicroUsd, key.price);
  if (over !== null) return unavailable(over);
  const question = {
    key,
    model: brain.model,
    system: systemPrompt(read),
    messages: messagesOf(entries),
    tools: modelTools(read),
    signal,
  };
  const refused = await reserve(callOf(question));
  if (refused !== null) return unavailable(refused);
  begin(brain.model);
  return askAgent(question);
}
