import { z } from 'zod';
import type { Protocol } from './protocol.ts';

const usage = z.object({
  input_tokens: z.int().nonnegative(),
  input_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
  output_tokens: z.int().nonnegative(),
});
const response = z.object({ model: z.string().nullish(), usage });
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

/** Source: the Responses API reference, as codex 0.171.0 uses it. Cached tokens are part of the input. */
export const openai: Protocol = {
  id: 'openai',
  kindOf(method, path) {
    if (method === 'POST' && /^\/responses(\/compact)?$/.test(path)) return 'spends';
    return method === 'GET' && /^\/models(\/[^/]+)?$/.test(path) ? 'free' : 'unknown';
  },
  readCall(_path, body) {
    const parsed = request.safeParse(body);
    if (!parsed.success) return null;
    const { model, max_output_tokens } = parsed.data;
    return { model, maxOutputTokens: max_output_tokens ?? null, leastOutputTokens: 0 };
  },
  lower: (body, tokens) => ({ ...(body as object), max_output_tokens: tokens }),
  usualOutputTokens: 128_000,
  readFigures(told) {
    const parsed = answer.safeParse(told);
    if (!parsed.success) return null;
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
