import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, NoObjectGeneratedError, Output } from 'ai';
import { z } from 'zod';
import { type BrainAnswer, brainAnswer } from '../../../protocol/brain-answer.ts';
import type { AskedCall } from '../../../protocol/call-bound.ts';
import type { OpenBrainKey } from '../../../protocol/brain-keys.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { failureOf, mayBeCharged, type ModelFailure, UnreachableError } from './model-failures.ts';
import { unsettledUsage, usageOf } from './model-usage.ts';

const ANSWER_TOKENS = 4_000;

export type ModelQuestion = {
  key: OpenBrainKey;
  model: string;
  system: string;
  prompt: string;
  timeoutMs: number;
};
/** `usage` null: the API served nothing, so nothing was charged. */
export type ModelReply = { usage: UsageEntry | null } & (
  | { kind: 'answered'; answer: BrainAnswer }
  | ModelFailure
);

/** Bytes that the form of the answer, names and quotes add to a request at most. */
const FORM_BYTES = 2_000 + JSON.stringify(z.toJSONSchema(brainAnswer)).length;

/** A question as the call that it makes, for what that can come to. */
export const callOf = ({
  key,
  model,
  system,
  prompt,
}: Omit<ModelQuestion, 'timeoutMs'>): AskedCall => ({
  model,
  price: key.price,
  // As JSON has it: what is escaped there is longer.
  bytes: new TextEncoder().encode(JSON.stringify([system, prompt])).length + FORM_BYTES,
  outputTokens: ANSWER_TOKENS,
});

/**
 * Asks a model for one decision, once: whoever asks decides about trying again. What a provider
 * says of a failure stays here, because it may repeat the key.
 */
export async function askModel(question: ModelQuestion): Promise<ModelReply> {
  const { key, model, system, prompt, timeoutMs } = question;
  try {
    const result = await generateText({
      model: modelOf(question),
      system,
      prompt,
      output: Output.object({ schema: brainAnswer, name: 'decision' }),
      maxOutputTokens: ANSWER_TOKENS,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    return {
      kind: 'answered',
      answer: result.output,
      usage: usageOf(model, result.usage, key.price),
    };
  } catch (error) {
    const failure = failureOf(error);
    if (NoObjectGeneratedError.isInstance(error) && error.usage)
      return { ...failure, usage: usageOf(model, error.usage, key.price) };
    return { ...failure, usage: mayBeCharged(error, failure) ? unsettledUsage(model) : null };
  }
}

/** The model of a key, at the address that the key is for. */
export function modelOf({
  key: { provider, baseUrl, secret },
  model,
}: Pick<ModelQuestion, 'key' | 'model'>) {
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ apiKey: secret, baseURL: baseUrl, fetch: fetchHere })(model);
    case 'openai-compatible':
    // Its REST API takes the same requests, whether this runs on Cloudflare or anywhere else.
    case 'workers-ai':
      return createOpenAICompatible({
        name: 'brain',
        apiKey: secret,
        baseURL: baseUrl,
        supportsStructuredOutputs: true,
        fetch: fetchHere,
      })(model);
    default:
      return provider satisfies never;
  }
}

/** The key goes to the address it was given for: a redirect to another one is not followed. */
const fetchHere: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, { ...init, redirect: 'manual' });
  } catch (error) {
    // The runtime words it in many ways, and only the time of the call is a reason of its own.
    throw init?.signal?.aborted ? error : new UnreachableError();
  }
};
