import { z } from 'zod';
import { rpcId } from '../../json-rpc.ts';

/**
 * The messages of `codex app-server`, as `codex app-server generate-ts` of 0.171.0 prints them and
 * as they were seen. Unknown fields are passed over.
 */
const threadId = z.string().min(1);
const count = z.int().nonnegative();

export const threadAnswer = z.object({
  thread: z.object({ id: threadId }),
  model: z.string().min(1).nullish().catch(null),
});
export const turnAnswer = z.object({ turn: z.object({ id: z.string().min(1) }) });

export const turnError = z.object({
  message: z.string(),
  /** A word, or a word with figures: `{ httpConnectionFailed: { httpStatusCode } }`. */
  codexErrorInfo: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  additionalDetails: z.string().nullish().catch(null),
});
export type TurnError = z.infer<typeof turnError>;

export const turnStarted = z.object({ threadId, turn: z.object({ id: z.string().min(1) }) });
export const turnCompleted = z.object({
  threadId,
  turn: z.object({ id: z.string(), status: z.string(), error: turnError.nullish().catch(null) }),
});
export const errorTold = z.object({ error: turnError, willRetry: z.boolean().catch(false) });

export const itemTold = z.object({
  threadId,
  item: z.looseObject({ id: z.string().min(1), type: z.string() }),
});
export const deltaTold = z.object({ threadId, itemId: z.string().min(1), delta: z.string() });

/** Cumulative over the thread, the processes that resumed it included. */
const breakdown = z.object({
  inputTokens: count,
  cachedInputTokens: count.catch(0),
  cacheWriteInputTokens: count.catch(0),
  outputTokens: count,
});
export const usageTold = z.object({
  threadId,
  turnId: z.string().nullish().catch(null),
  tokenUsage: z.object({ total: breakdown }),
});

export const rerouted = z.object({ threadId, toModel: z.string().min(1) });
export const warned = z.object({ summary: z.string().optional(), message: z.string().optional() });
export const resolved = z.object({ requestId: rpcId });

export const commandAsked = z.object({
  itemId: z.string(),
  reason: z.string().nullish().catch(null),
  command: z.string().nullish().catch(null),
});
export const changeAsked = z.object({
  itemId: z.string(),
  reason: z.string().nullish().catch(null),
  /** The engine asks for a whole directory to write in, not for one change. */
  grantRoot: z.string().nullish().catch(null),
});

export const commandItem = z.object({
  command: z.string(),
  aggregatedOutput: z.string().nullish().catch(null),
  exitCode: z.int().nullish().catch(null),
  status: z.string().catch(''),
});
export const fileItem = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      kind: z.object({ type: z.string() }).catch({ type: 'update' }),
      diff: z.string().optional().catch(undefined),
    }),
  ),
  status: z.string().catch(''),
});
export const reasoningItem = z.object({ summary: z.array(z.string()).catch([]) });
