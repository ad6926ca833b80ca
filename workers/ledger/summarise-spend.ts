import type { z } from 'zod';
import type { UsageSummary, usageSummaryQuery } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { summariseDrives, summariseReports } from './summarise-drives.ts';
import { summariseUsage } from './summarise-usage.ts';

/**
 * What was spent, each provenance summed apart; beside it what operators wrote unmeasured, and what
 * the programs there said of themselves.
 */
export async function summariseSpend(
  database: Database,
  accountId: AccountId,
  query: z.output<typeof usageSummaryQuery>,
  nowMs: number,
): Promise<UsageSummary> {
  const [summary, unmetered, selfReported] = await Promise.all([
    summariseUsage(database, accountId, query),
    summariseDrives(database, accountId, query, nowMs),
    summariseReports(database, accountId, query),
  ]);
  return { ...summary, ...(unmetered && { unmetered }), ...(selfReported && { selfReported }) };
}
