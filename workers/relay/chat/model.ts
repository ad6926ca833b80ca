import { generateText, type ModelMessage, type ToolSet } from 'ai';
import { z } from 'zod';
import type { AskedCall } from '../../../protocol/call-bound.ts';
import type { OpenBrainKey } from '../../../protocol/brain-keys.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { failureOf, mayBeCharged, type ModelFailure } from '../../pilot/brains/model-failures.ts';
import { unsettledUsage, usageOf } from '../../pilot/brains/model-usage.ts';
import { ANSWER_MS } from '../../pilot/brains/by-model.ts';
import { modelOf } from '../../pilot/brains/model.ts';

const ANSWER_TOKENS = 4_000;

export type AgentReply =
  | {
      kind: 'answered';
      text: string;
      calls: { toolCallId: string; name: string; input: unknown }[];
      usage: UsageEntry;
    }
  /** `usage` null: nothing was served, so nothing was charged. */
  | (ModelFailure & { usage: UsageEntry | null })
  /** Whoever asked gave it up. */
  | { kind: 'aborted'; usage: UsageEntry };

/** Bytes that names and quotes of an API's own form add to a request at most. */
const FORM_BYTES = 2_000;

type Asked = Omit<Parameters<typeof askAgent>[0], 'signal'>;

/** A question as the call that it makes, for what that can come to. */
export function callOf({ key, model, system, messages, tools }: Asked): AskedCall {
  const offered = Object.entries(tools).map(([name, { description, inputSchema }]) => [
    name,
    description,
    z.toJSONSchema(inputSchema as z.ZodType),
  ]);
  const text = JSON.stringify([system, messages, offered]);
  const bytes = new TextEncoder().encode(text).length + FORM_BYTES;
  return { model, bytes, outputTokens: ANSWER_TOKENS, price: key.price };
}

/** Asks the model once what to do next. Tools are named to it and carried out by nobody here. */
export async function askAgent(question: {
  key: OpenBrainKey;
  model: string;
  system: string;
  messages: ModelMessage[];
  tools: ToolSet;
  signal: AbortSignal;
}): Promise<AgentReply> {
  const { key, model, system, messages, tools, signal } = question;
  try {
    const result = await generateText({
      model: modelOf({ key, model }),
      system,
      messages,
      tools,
      maxOutputTokens: ANSWER_TOKENS,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const calls = result.toolCalls.map(({ toolCallId, toolName, input }) => ({
      toolCallId,
      name: toolName,
      input,
    }));
    return {
      kind: 'answered',
      text: result.text,
      calls,
      usage: usageOf(model, result.usage, key.price),
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted', usage: unsettledUsage(model) };
    const failure = failureOf(error);
    return { ...failure, usage: mayBeCharged(error, failure) ? unsettledUsage(model) : null };
  }
}
