import { z } from 'zod';

/**
 * What the parser reads of claude's stream-json lines (2.1.197 and 2.1.332). Only the fields in
 * use are named; everything else is ignored, so that a newer engine may add what it likes.
 */
const text = z.string();
const nullableText = text.nullish();

export const messageUsage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});
export type MessageUsage = z.infer<typeof messageUsage>;

const contentBlock = z.object({
  type: text,
  text: text.optional(),
  thinking: text.optional(),
  signature: text.optional(),
  id: text.optional(),
  name: text.optional(),
  input: z.unknown().optional(),
});
export type ContentBlock = z.infer<typeof contentBlock>;

export const initLine = z.object({
  session_id: text,
  model: nullableText,
  apiKeySource: nullableText,
  claude_code_version: nullableText,
});

export const systemLine = z.object({
  type: z.literal('system'),
  subtype: text,
  uuid: nullableText,
});

export const retryLine = z.object({
  attempt: z.number().catch(0),
  max_retries: z.number().catch(0),
  retry_delay_ms: z.number().catch(0),
  error_status: z.number().nullish(),
  error: nullableText,
});

export const taskLine = z.object({ tool_use_id: nullableText, status: nullableText });

export const assistantLine = z.object({
  type: z.literal('assistant'),
  uuid: text.catch(''),
  parent_tool_use_id: nullableText,
  user_message_uuid: nullableText,
  error: nullableText,
  api_error_status: z.number().nullish(),
  /** Positions in `content` of the thinking blocks that are narration. */
  narration_block_indexes: z.array(z.number()).nullish().catch(null),
  message: z.object({
    id: text,
    model: text.catch('unknown'),
    content: z.array(contentBlock),
    usage: messageUsage.nullish(),
  }),
});
export type AssistantLine = z.infer<typeof assistantLine>;

export const streamLine = z.object({
  type: z.literal('stream_event'),
  uuid: text.catch(''),
  parent_tool_use_id: nullableText,
  event: z.object({
    type: text,
    index: z.number().optional(),
    message: z
      .object({ id: text, model: text.catch('unknown'), usage: messageUsage.nullish() })
      .optional(),
    content_block: z.object({ type: text }).optional(),
    delta: z
      .object({ type: text.optional(), text: text.optional(), thinking: text.optional() })
      .optional(),
    usage: messageUsage.nullish(),
  }),
});
export type StreamLine = z.infer<typeof streamLine>;

export const resultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
export type ResultBlock = z.infer<typeof resultBlock>;

export const userLine = z.object({
  type: z.literal('user'),
  uuid: text.catch(''),
  parent_tool_use_id: nullableText,
  isReplay: z.boolean().nullish(),
  message: z.object({ content: z.union([text, z.array(z.unknown())]) }),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z
    .array(z.object({ id: text, non_execution_kind: nullableText }))
    .nullish()
    .catch(null),
});
export type UserLine = z.infer<typeof userLine>;

const hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(text),
});
export const fileResult = z.object({
  type: text.optional(),
  filePath: text,
  content: text.optional(),
  originalFile: nullableText,
  structuredPatch: z.array(hunk),
});
export const shellResult = z.object({
  stdout: text,
  interrupted: z.boolean().catch(false),
  backgroundTaskId: nullableText,
});

export const lifecycleLine = z.object({
  type: z.literal('command_lifecycle'),
  command_uuid: text,
  state: text,
});

export const rateLimitLine = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({ status: text, resetsAt: z.number().nullish() }),
});

export const controlRequestLine = z.object({
  type: z.literal('control_request'),
  request_id: text,
  request: z.object({ subtype: text }),
});

export const permissionRequest = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: text,
  input: z.record(text, z.unknown()),
  permission_suggestions: z.array(z.record(text, z.unknown())).nullish(),
  tool_use_id: nullableText,
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

export const hookRequest = z.object({
  input: z.object({
    hook_event_name: z.literal('PreToolUse'),
    tool_name: text,
    tool_input: z.unknown(),
    tool_use_id: nullableText,
  }),
});

export const controlResponseLine = z.object({
  type: z.literal('control_response'),
  response: z.object({
    subtype: text,
    request_id: text,
    response: z.unknown().optional(),
    error: nullableText,
  }),
});

export const cancelLine = z.object({ type: z.literal('control_cancel_request'), request_id: text });

export const accountFacts = z.object({
  account: z
    .object({
      tokenSource: nullableText,
      apiKeySource: nullableText,
      apiProvider: nullableText,
      subscriptionType: nullableText,
    })
    .nullish(),
  claude_code_version: nullableText,
});

export const usageFacts = z.object({ session: z.object({ model_usage: z.unknown().optional() }) });

export const resetLine = z.object({
  type: z.literal('conversation_reset'),
  new_conversation_id: text,
});

export const resultLine = z.object({
  type: z.literal('result'),
  subtype: text,
  uuid: text.catch(''),
  session_id: nullableText,
  is_error: z.boolean().catch(false),
  api_error_status: z.number().nullish(),
  terminal_reason: nullableText,
  result: nullableText,
  errors: z.array(text).nullish().catch(null),
  modelUsage: z.unknown().optional(),
  model_usage_since_last_result: z.unknown().optional(),
  user_message_uuid: nullableText,
  user_message_uuids: z.array(text).nullish().catch(null),
});
export type ResultLine = z.infer<typeof resultLine>;
