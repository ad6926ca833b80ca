import { z } from 'zod';
import { type Columns, writeTime } from './csv.ts';
import type { UsageRow } from './http.ts';
import { sessionId, turnId } from './ids.ts';
import { payer, spendTotals } from './usage.ts';

const range = {
  /** Inclusive start and exclusive end, Unix ms. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
};

export const usageDaysQuery = z.object(range);

/** What one payer was charged on one day in UTC, each kind of figure apart. */
export const usageDay = z.object({ day: z.iso.date(), payer, totals: spendTotals });
export type UsageDay = z.infer<typeof usageDay>;
/** In the order of the days; a day without any entry is not in it. */
export const usageDays = z.object({ items: z.array(usageDay) });

/** Most sessions whose turns are asked for at once, and most turns of each. */
export const GROWTH_SESSIONS = 100;
export const GROWTH_TURNS = 40;

export const usageTurnsQuery = z.object({
  /** Ids, with commas between. */
  sessions: z
    .string()
    .max(10_000)
    .transform((text) => text.split(','))
    .pipe(z.array(sessionId).min(1).max(GROWTH_SESSIONS)),
});

/** What the last turns of a session read: its conversation again, and what was new. */
export const sessionReads = z.object({
  sessionId,
  turns: z
    .array(
      z.object({
        turnId,
        /** Tokens of input, read from a cache, and written into one. */
        readTokens: z.int().nonnegative(),
      }),
    )
    .max(GROWTH_TURNS),
});
export type SessionReads = z.infer<typeof sessionReads>;
export const usageTurns = z.object({ items: z.array(sessionReads) });

export const EXPORT_FORMATS = ['csv', 'json'] as const;
export const exportFormat = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.infer<typeof exportFormat>;

export const usageExportQuery = z.object({
  ...range,
  sessionId: sessionId.optional(),
  format: exportFormat.default('csv'),
});

/** The usage ledger as a table: integers as they are kept, so that a sum of them is exact. */
export const USAGE_COLUMNS: Columns<UsageRow> = [
  ['at', ({ at }) => writeTime(at)],
  ['session_id', (row) => row.sessionId],
  ['session_title', (row) => row.sessionTitle],
  ['turn_id', (row) => row.turnId],
  ['engine', (row) => row.engineId],
  ['model', (row) => row.model],
  ['payer', (row) => row.payer],
  ['kind', (row) => row.bucket],
  ['provenance', (row) => row.provenance],
  ['input_tokens', (row) => row.inputTokens],
  ['output_tokens', (row) => row.outputTokens],
  ['cache_read_tokens', (row) => row.cacheReadTokens],
  ['cache_write_tokens', (row) => row.cacheWriteTokens],
  ['micro_usd', (row) => row.microUsd],
];
