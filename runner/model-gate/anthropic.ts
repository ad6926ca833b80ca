import { z } from 'zod';
import type { Figures, Protocol } from './protocol.ts';

const count = z.int().nonnegative().nullish();
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});
const message = z.object({ model: z.string().optional(), usage });
const answer = z.union([
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('message_delta'), usage }).transform((event) => ({ message: event })),
  message.transform((whole) => ({ message: whole })),
]);
const request = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  thinking: z.looseObject({ budget_tokens: z.int().optional() }).nullish(),
});

/** Thoughts have a limit of their own, which the whole must be over. */
const BESIDE_THOUGHTS = 1_024;

/** Source: the Messages API reference, as claude 2.1.332 uses it. */
export const anthropic: Protocol = {
  id: 'anthropic',
  kindOf(method, path) {
    if (method === 'POST' && path === '/v1/messages') return 'spends';
    const free = method === 'POST' ? path === '/v1/messages/count_tokens' : isLook(method, path);
    return free ? 'free' : 'unknown';
  },
  readCall(_path, body) {
    const parsed = request.safeParse(body);
    if (!parsed.success) return null;
    const { model, max_tokens, thinking } = parsed.data;
    const thoughts = thinking?.budget_tokens ?? 0;
    return {
      model,
      maxOutputTokens: max_tokens,
      leastOutputTokens: thoughts > 0 ? thoughts + BESIDE_THOUGHTS : 0,
    };
  },
  lower: (body, tokens) => ({ ...(body as object), max_tokens: tokens }),
  usualOutputTokens: 128_000,
  readFigures(told) {
    const parsed = answer.safeParse(told);
    if (!parsed.success) return null;
    const { message: said } = parsed.data;
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
      said.usage;
    return defined({
      model: 'model' in said ? said.model : undefined,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      cacheReadTokens: cache_read_input_tokens,
      cacheWriteTokens: cache_creation_input_tokens,
    });
  },
  refuse: (status, text) => ({
    type: 'error',
    error: {
      type: status === 401 ? 'authentication_error' : 'invalid_request_error',
      message: text,
    },
  }),
};

/** What was said: a figure that is left out leaves the one before. */
function defined(figures: {
  [Name in keyof Figures]: Figures[Name] | null | undefined;
}): Figures {
  const said = Object.entries(figures).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said);
}

/** Reading what there is costs nothing. */
const isLook = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === '/' || /^\/v1\/models(\/|$)/.test(path));
