import { z } from 'zod';
import type { Protocol } from './protocol.ts';

const count = z.int().nonnegative().nullish();
const chunk = z.object({
  modelVersion: z.string().nullish(),
  usageMetadata: z.object({
    promptTokenCount: count,
    cachedContentTokenCount: count,
    candidatesTokenCount: count,
    thoughtsTokenCount: count,
    toolUsePromptTokenCount: count,
  }),
});
const request = z.looseObject({
  generationConfig: z
    .looseObject({
      maxOutputTokens: z.int().positive().nullish(),
      // Each of several answers may be as long as one.
      candidateCount: z.literal(1).nullish(),
      thinkingConfig: z.looseObject({ thinkingBudget: z.int().nullish() }).nullish(),
    })
    .nullish(),
});

const SPENDS = /^\/v1(?:alpha|beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;
const FREE = /^\/v1(?:alpha|beta)?\/models(\/[^/:]+(:countTokens)?)?$/;

/** Source: the Gemini API reference, as gemini 0.61.0 uses it. Thoughts are billed as output. */
export const gemini: Protocol = {
  id: 'gemini',
  kindOf(method, path) {
    if (method === 'POST' && SPENDS.test(path)) return 'spends';
    return FREE.test(path) && (method === 'GET' || path.endsWith(':countTokens'))
      ? 'free'
      : 'unknown';
  },
  readCall(path, body) {
    const model = SPENDS.exec(path)?.[1];
    const parsed = request.safeParse(body);
    if (model === undefined || !parsed.success) return null;
    const { maxOutputTokens, thinkingConfig } = parsed.data.generationConfig ?? {};
    const thoughts = Math.max(0, thinkingConfig?.thinkingBudget ?? 0);
    return {
      model: decodeURIComponent(model),
      maxOutputTokens: maxOutputTokens ? maxOutputTokens + thoughts : null,
      leastOutputTokens: thoughts,
    };
  },
  lower(body, tokens) {
    const { generationConfig = {} } = body as { generationConfig?: object };
    return {
      ...(body as object),
      generationConfig: { ...generationConfig, maxOutputTokens: tokens },
    };
  },
  usualOutputTokens: 65_536,
  readFigures(told) {
    // Without server-sent events the chunks of a stream are one array.
    const parsed = chunk.safeParse(Array.isArray(told) ? told.at(-1) : told);
    if (!parsed.success) return null;
    const { modelVersion, usageMetadata: said } = parsed.data;
    const prompt = (said.promptTokenCount ?? 0) + (said.toolUsePromptTokenCount ?? 0);
    const cached = Math.min(said.cachedContentTokenCount ?? 0, prompt);
    return {
      ...(modelVersion && { model: modelVersion }),
      inputTokens: prompt - cached,
      cacheReadTokens: cached,
      cacheWriteTokens: 0,
      outputTokens: (said.candidatesTokenCount ?? 0) + (said.thoughtsTokenCount ?? 0),
    };
  },
  refuse: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 401 ? 'UNAUTHENTICATED' : 'FAILED_PRECONDITION',
    },
  }),
};
