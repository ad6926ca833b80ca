import { z } from 'zod';

/** The lines of `codex exec --json`, as seen on 0.171.0. Unknown fields are passed over. */
export const threadStarted = z.object({ thread_id: z.string().min(1) });

const count = z.int().nonnegative();

/** Cumulative over the whole thread, the processes that resumed it included. */
export const totals = z.object({
  input_tokens: count,
  /** A part of `input_tokens`. */
  cached_input_tokens: count.catch(0),
  cache_write_input_tokens: count.catch(0),
  output_tokens: count,
});
export type ThreadTotals = z.infer<typeof totals>;

const books = z.object({ totals: totals.nullable() });
/** What is kept of a thread's own file: its last total; null where it told none. */
export type Books = z.infer<typeof books>;

/** The total that a reading of a thread's file found; null for no reading, or one without it. */
export const bookedTotals = (raw: unknown): ThreadTotals | null =>
  books.safeParse(raw).data?.totals ?? null;

export const turnCompleted = z.object({ usage: z.unknown() });
export const turnFailed = z.object({ error: z.object({ message: z.string() }) });
export const errorLine = z.object({ message: z.string() });

export const itemLine = z.object({
  item: z.looseObject({ id: z.string().min(1), type: z.string() }),
});

export const textItem = z.object({ text: z.string() });
export const errorItem = z.object({ message: z.string() });

const status = z.string().catch('');

export const commandItem = z.object({
  command: z.string(),
  aggregated_output: z.string().catch(''),
  exit_code: z.int().nullish().catch(null),
  status,
});

export const fileItem = z.object({
  changes: z.array(
    z.object({ path: z.string(), kind: z.string().catch('update'), diff: z.string().optional() }),
  ),
  status,
});

export const mcpItem = z.object({
  server: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  result: z.unknown(),
  error: z.object({ message: z.string() }).nullish().catch(null),
  status,
});

export const searchItem = z.object({ query: z.string().catch('') });
