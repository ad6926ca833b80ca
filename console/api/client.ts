import type { z } from 'zod';
import { COMMAND_HEADER } from '../../protocol/command-name.ts';
import { errorBody } from '../../protocol/errors.ts';
import { LOOK_TIMEOUT_MS } from '../../protocol/machine.ts';
import { RequestFailure, unreachable, unreadable } from '../errors.ts';
import { noteCommandName } from '../lib/command-name.ts';
import { noteReachability } from '../lib/reachability.ts';

/** Without an answer so long after the server gave up on a machine a request is unanswered, in ms. */
const ANSWER_MARGIN_MS = 5_000;

type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads from the API, and parses the answer. Throws {@link RequestFailure} and nothing else. */
export function read<S extends z.ZodType>(
  schema: S,
  path: string,
  options: { query?: Query; signal?: AbortSignal } = {},
): Promise<z.infer<S>> {
  const address = withQuery(path, options.query ?? {});
  return exchange(schema, address, { method: 'GET', signal: options.signal ?? null });
}

function withQuery(path: string, asked: Query): string {
  const query = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return query.length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path;
}

/**
 * Asks the API to do something. `machineMs` is how long the server waits for a machine, in ms.
 * Throws {@link RequestFailure} and nothing else.
 */
export function send<S extends z.ZodType>(
  schema: S,
  path: string,
  body: unknown = {},
  { machineMs = LOOK_TIMEOUT_MS }: { machineMs?: number } = {},
): Promise<z.infer<S>> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return exchange(schema, path, init, machineMs);
}

/** Brings bytes to the API. Throws {@link RequestFailure} and nothing else. */
export function sendBytes<S extends z.ZodType>(
  schema: S,
  path: string,
  query: Query,
  body: Uint8Array<ArrayBuffer>,
): Promise<z.infer<S>> {
  const headers = { 'content-type': 'application/octet-stream' };
  return exchange(schema, withQuery(path, query), { method: 'POST', headers, body });
}

async function exchange<S extends z.ZodType>(
  schema: S,
  address: string,
  init: RequestInit,
  machineMs: number = LOOK_TIMEOUT_MS,
): Promise<z.infer<S>> {
  const timeout = AbortSignal.timeout(machineMs + ANSWER_MARGIN_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  let response: Response;
  try {
    response = await fetch(address, { ...init, signal, credentials: 'same-origin' });
  } catch (cause) {
    // The caller's own abort is no failure: its reason goes through as it is.
    if (init.signal?.aborted) throw cause;
    noteReachability(false);
    throw unreachable(cause);
  }
  noteReachability(true);
  noteCommandName(response.headers.get(COMMAND_HEADER));
  const requestId = response.headers.get('x-request-id');
  const body: unknown = await response.json().catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw unreadable(requestId, cause);
  });
  if (!response.ok) throw failureOf(body, requestId);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw unreadable(requestId, parsed.error);
  return parsed.data;
}

function failureOf(body: unknown, requestId: string | null): RequestFailure {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return unreadable(requestId, parsed.error);
  const { code, message, retryable, requestId: told } = parsed.data.error;
  return new RequestFailure(code, { message, retryable, requestId: told });
}
