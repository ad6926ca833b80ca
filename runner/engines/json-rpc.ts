import { z } from 'zod';
import { ownEntry } from '../acts/own.ts';
import { parseJson } from '../json.ts';
import type { Draft } from './draft.ts';
import type { EngineItem } from './engine.ts';
import { type Ignored, ignoreGarbage, ignoreUnknown } from './ignored.ts';

/** How the other side names its own requests. */
export const rpcId = z.union([z.string(), z.number()]);
export type RpcId = z.infer<typeof rpcId>;

const rpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
export type RpcError = z.infer<typeof rpcError>;

const request = z.object({ id: rpcId, method: z.string(), params: z.unknown().optional() });
const notification = z.object({
  id: z.undefined().optional(),
  method: z.string(),
  params: z.unknown().optional(),
});
const answer = z.object({
  id: rpcId,
  method: z.undefined().optional(),
  result: z.unknown().optional(),
  error: rpcError.optional(),
});

/** The answer to a request of ours: `about` is what stands behind the word in its id. */
export type RpcAnswer = { about: string; result: unknown; error: RpcError | null };

/**
 * What an engine may say, each reader false for a shape that is not the method's. Answers are
 * found by the first word of their id, which is ours: an answer says by itself what it is about,
 * and nothing has to be remembered between the lines.
 */
export type RpcReaders<D> = {
  answers: Readonly<Record<string, (draft: D, answer: RpcAnswer) => boolean>>;
  requests: Readonly<Record<string, (draft: D, params: unknown, id: RpcId) => boolean>>;
  notifications: Readonly<Record<string, (draft: D, params: unknown, line: string) => boolean>>;
  /** Requests that we have said we do not serve: refused without a word about it. */
  declined?: ReadonlySet<string>;
  /** Notifications that are known and tell nothing that is shown. */
  passedOver: ReadonlySet<string>;
};

/** Reads one line of JSON-RPC. Never throws: what cannot be read becomes a notice. */
export function readRpcLine<D extends Draft<Ignored>>(
  draft: D,
  line: string,
  readers: RpcReaders<D>,
): void {
  if (line.trim() === '') return;
  const raw = parseJson(line);
  if (!readMessage(draft, raw, line, readers)) ignoreGarbage(draft, line);
}

function readMessage<D extends Draft<Ignored>>(
  draft: D,
  raw: unknown,
  line: string,
  readers: RpcReaders<D>,
): boolean {
  const asked = request.safeParse(raw);
  if (asked.success) {
    const { id, method, params } = asked.data;
    if (ownEntry(readers.requests, method)?.(draft, params, id)) return true;
    draft.items.push(rpcRefusal(id, method));
    if (!readers.declined?.has(method)) ignoreUnknown(draft, method);
    return true;
  }
  const told = notification.safeParse(raw);
  if (told.success) {
    const { method, params } = told.data;
    if (readers.passedOver.has(method)) return true;
    const reader = ownEntry(readers.notifications, method);
    if (reader) return reader(draft, params, line);
    ignoreUnknown(draft, method);
    return true;
  }
  const answered = answer.safeParse(raw);
  if (!answered.success) return false;
  const { id, result, error = null } = answered.data;
  const [word = '', about = ''] = String(id).split(/:(.*)/s);
  const reader = ownEntry(readers.answers, word);
  if (reader) return reader(draft, { about, result, error });
  ignoreUnknown(draft, 'answer');
  return true;
}

const write = (message: object): EngineItem => ({
  kind: 'write',
  // One `JSON.stringify`, which never contains a line break.
  line: JSON.stringify({ jsonrpc: '2.0', ...message }),
});

/** A request of ours. Its id is `word` or `word:about`, by which the answer is known again. */
export const rpcRequest = (id: string, method: string, params: unknown): EngineItem =>
  write({ id, method, params });

export const rpcNotification = (method: string, params?: unknown): EngineItem =>
  write({ method, ...(params !== undefined && { params }) });

export const rpcReply = (id: RpcId, result: unknown): EngineItem => write({ id, result });

/** Refuses what we do not serve, so that the engine does not wait for it for ever. */
const rpcRefusal = (id: RpcId, method: string): EngineItem =>
  write({ id, error: { code: -32601, message: `This client does not serve ${method}.` } });
