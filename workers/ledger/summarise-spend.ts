import type { z } from 'zod';
import type { UsageSummary, usageSummaryQuery } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { summariseDrives } from './summarise-drives.ts';
import { summariseUsage } from './summarise-usage.ts';

/** What was spent, each provenance summed apart, and beside it what operators wrote unmeasured. */
export async function summariseSpend(
  database: Database,
  accountId: AccountId,
  query: z.output<typeof usageSummaryQuery>,
  nowMs: number,
): Promise<UsageSummary> {
  const [summary, unmetered] = await Promise.all([
    summariseUsage(database, accountId, query),
    summariseDrives(database, accountId, query, nowMs),
  ]);
  return { ...summary, ...(unmetered && { unmetered }) };
}
