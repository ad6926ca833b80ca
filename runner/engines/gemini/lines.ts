import { z } from 'zod';

/**
 * Lines of `--output-format stream-json`. Source: gemini 0.61.0 (`JsonStreamEvent` of its core
 * package) and its own output.
 */
export const initLine = z.object({ session_id: z.string().min(1), model: z.string().nullish() });

export const messageLine = z.object({ role: z.string(), content: z.string() });

export const toolUseLine = z.object({
  tool_name: z.string(),
  tool_id: z.string().min(1),
  parameters: z.unknown(),
});

export const toolResultLine = z.object({
  tool_id: z.string(),
  status: z.string(),
  output: z.string().nullish(),
  error: z.object({ type: z.string(), message: z.string() }).nullish(),
});
export type ToolResultLine = z.infer<typeof toolResultLine>;

export const errorLine = z.object({ severity: z.string(), message: z.string() });

const tokens = z.int().nonnegative();

/** `input_tokens` includes `cached`; `total_tokens` alone includes the model's thoughts. */
export const modelStats = z.object({
  total_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  cached: tokens,
});
export type ModelStats = z.infer<typeof modelStats>;

export const resultLine = z.object({
  status: z.string(),
  error: z.object({ type: z.string(), message: z.string() }).nullish(),
  /** Read model by model, so that one figure that is not a count spoils no other. */
  stats: z.object({ models: z.record(z.string(), z.unknown()) }).nullish(),
});
export type ResultLine = z.infer<typeof resultLine>;
