import { z } from 'zod';
import type { Figures, Protocol } from './protocol.ts';

const usage = z.object({
  input_tokens: z.int().nonnegative(),
  input_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
  output_tokens: z.int().nonnegative(),
});
const response = z.object({ model: z.string().nullish(), usage });
/** The older way to ask, which most other providers took over. */
const completion = z.object({
  model: z.string().nullish(),
  usage: z.object({
    prompt_tokens: z.int().nonnegative(),
    prompt_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
    completion_tokens: z.int().nonnegative(),
  }),
});
const answer = z.union([
  z.object({ type: z.string(), response }),
  response.transform((whole) => ({ response: whole })),
]);
const request = z.looseObject({
  model: z.string(),
  max_output_tokens: z.int().positive().nullish(),
  // Its answer comes later, by a call that is not this one, and nobody here would see what it cost.
  background: z.literal(false).nullish(),
});
const CHAT = '/chat/completions';
const chat = z.looseObject({
  model: z.string(),
  messages: z.array(z.unknown()),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  // Each of several answers may be as long as one.
  n: z.literal(1).nullish(),
});

/**
 * Source: the Responses API reference, as codex 0.171.0 uses it, and that of chat completions, as
 * qwen 0.24.4 does. Cached tokens are part of the input, and thoughts of the output.
 */
export const openai: Protocol = {
  id: 'openai',
  kindOf(method, path) {
    if (method === 'POST' && (path === CHAT || /^\/responses(\/compact)?$/.test(path)))
      return 'spends';
    return method === 'GET' && /^\/models(\/[^/]+)?$/.test(path) ? 'free' : 'unknown';
  },
  readCall(path, body) {
    if (path === CHAT) {
      const asked = chat.safeParse(body);
      if (!asked.success) return null;
      const { model, max_tokens, max_completion_tokens } = asked.data;
      const maxOutputTokens = max_completion_tokens ?? max_tokens ?? null;
      return { model, maxOutputTokens, leastOutputTokens: 0 };
    }
    const parsed = request.safeParse(body);
    if (!parsed.success) return null;
    const { model, max_output_tokens } = parsed.data;
    return { model, maxOutputTokens: max_output_tokens ?? null, leastOutputTokens: 0 };
  },
  lower(body, tokens) {
    if (!chat.safeParse(body).success) return { ...(body as object), max_output_tokens: tokens };
    const { max_tokens: _, ...asked } = body as Record<string, unknown>;
    // Providers that took this over know the older name alone, and its own models the newer one.
    return 'max_completion_tokens' in asked
      ? { ...asked, max_completion_tokens: tokens }
      : { ...asked, max_tokens: tokens };
  },
  usualOutputTokens: 128_000,
  readFigures(told) {
    const parsed = answer.safeParse(told);
    if (!parsed.success) return readCompletion(told);
    const { model, usage: said } = parsed.data.response;
    const cached = Math.min(said.input_tokens_details?.cached_tokens ?? 0, said.input_tokens);
    return {
      ...(model && { model }),
      inputTokens: said.input_tokens - cached,
      cacheReadTokens: cached,
      cacheWriteTokens: 0,
      outputTokens: said.output_tokens,
    };
  },
  refuse: (status, message) => ({
    error: {
      message,
      type: 'invalid_request_error',
      param: null,
      code: status === 401 ? 'invalid_api_key' : 'refused_by_pilothouse',
    },
  }),
};

function readCompletion(told: unknown): Figures | null {
  const parsed = completion.safeParse(told);
  if (!parsed.success) return null;
  const { model, usage: said } = parsed.data;
  const cached = Math.min(said.prompt_tokens_details?.cached_tokens ?? 0, said.prompt_tokens);
  return {
    ...(model && { model }),
    inputTokens: said.prompt_tokens - cached,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: said.completion_tokens,
  };
}
