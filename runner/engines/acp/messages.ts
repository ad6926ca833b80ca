import { z } from 'zod';

/**
 * What is read of an agent's messages. The official package's types hold these readers to the
 * protocol in a test; they take less and are milder than its own schemas, because
 * a newer agent's further fields and kinds must not end a turn.
 */
const text = z.string();
const meta = z.record(z.string(), z.unknown()).nullish().catch(null);

export const initialized = z.object({
  agentInfo: z.object({ version: text.nullish() }).nullish().catch(null),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().optional().catch(false),
      promptCapabilities: z.object({ image: z.boolean().optional() }).nullish().catch(null),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** The model is told by some agents as a list, by others as an option of the session. */
export const sessionOpened = z.object({
  sessionId: text.min(1).optional(),
  models: z
    .object({ currentModelId: text.min(1) })
    .nullish()
    .catch(null),
  configOptions: z
    .array(z.object({ id: text, currentValue: z.unknown().optional() }))
    .nullish()
    .catch(null),
});

const tokens = z.int().nonnegative();
export const promptAnswered = z.object({
  stopReason: text,
  usage: z
    .object({
      inputTokens: tokens,
      outputTokens: tokens,
      cachedReadTokens: tokens.nullish().catch(null),
      cachedWriteTokens: tokens.nullish().catch(null),
    })
    .nullish()
    .catch(null),
  _meta: meta,
});

const location = z.object({ path: text });
const content = z.looseObject({ type: text });

/** A tool call, or what has changed of it since it was told. */
export const toolCall = z.object({
  toolCallId: text.min(1),
  title: text.nullish().catch(null),
  kind: text.nullish().catch(null),
  status: text.nullish().catch(null),
  content: z.array(content).nullish().catch(null),
  locations: z.array(location).nullish().catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

export const diffContent = z.object({
  path: text,
  oldText: text.nullish().catch(null),
  newText: text,
});
export const textContent = z.object({ content: z.object({ type: z.literal('text'), text }) });
export const chunk = z.object({ content: z.object({ type: z.literal('text'), text }) });
export const usageUpdate = z.object({
  cost: z.object({ amount: z.number().nonnegative(), currency: text }).nullish().catch(null),
});

export const updateTold = z.object({ update: z.looseObject({ sessionUpdate: text }) });

export const permissionAsked = z.object({
  toolCall,
  options: z.array(z.object({ optionId: text, name: text, kind: text })).min(1),
});
export type PermissionOption = z.infer<typeof permissionAsked>['options'][number];
