import { z } from 'zod';

/**
 * Lines of `--output-format stream-json --include-partial-messages`. Source: qwen 0.24.4
 * (`BaseJsonOutputAdapter` and `computeUsageFromMetrics` of its cli package) and its own output.
 */
export const initLine = z.object({
  subtype: z.literal('init'),
  session_id: z.string().min(1),
  model: z.string().nullish(),
});

/** Other lines of the kind `system`: tries again, tasks; told in words elsewhere, or not at all. */
export const systemLine = z.object({ subtype: z.string() });

const count = z.int().nonnegative();

/** What is read from a cache is part of the input, and thoughts are part of the output. */
export const figures = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count.nullish(),
});

const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string(),
    input: z.unknown(),
  }),
]);

export const assistantLine = z.object({
  parent_tool_use_id: z.string().nullish(),
  message: z.object({
    model: z.string().nullish(),
    content: z.array(block),
    /** Of the call that this is the last part of; nothing at the parts before it. */
    usage: z.unknown(),
  }),
});
export type AssistantLine = z.infer<typeof assistantLine>;

const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: z.unknown(),
});
export type ToolResult = z.infer<typeof toolResult>;

/** What its tools gave, and words of its own to the model, which are no result. */
export const userLine = z.object({
  message: z.object({
    content: z.array(z.union([toolResult, z.object({ type: z.string() })])),
  }),
});

export const isToolResult = (part: { type: string }): part is ToolResult =>
  part.type === 'tool_result' && toolResult.safeParse(part).success;

export const streamLine = z.object({
  event: z.object({
    type: z.string(),
    delta: z
      .object({ type: z.string(), text: z.string().nullish(), thinking: z.string().nullish() })
      .nullish(),
  }),
});

export const resultLine = z.object({
  is_error: z.boolean(),
  error: z.object({ message: z.string() }).nullish(),
  /** Of the whole conversation so far, whoever was asked, over every process of it. */
  usage: z.unknown(),
});
export type ResultLine = z.infer<typeof resultLine>;

/** It asks before it calls a tool. */
export const permissionLine = z.object({
  request_id: z.string().min(1),
  request: z.object({
    subtype: z.literal('can_use_tool'),
    tool_name: z.string(),
    tool_use_id: z.string().nullish(),
    input: z.unknown(),
  }),
});
export type PermissionLine = z.infer<typeof permissionLine>;

export const requestLine = z.object({
  request_id: z.string().min(1),
  request: z.object({ subtype: z.string() }),
});

/** It answers a request of ours. */
export const responseLine = z.object({
  response: z.object({ subtype: z.string(), request_id: z.string() }),
});

/** It waits no more for an answer to a request. */
export const cancelLine = z.object({ request_id: z.string() });
