import { and, count, countDistinct, eq, gte, isNull, lt, max, min, sum } from 'drizzle-orm';
import type { SelfReported } from '../../protocol/drive-report.ts';
import type { UnmeteredWork } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { driveReports, drives } from '../db/schema.ts';
import type { UsageRange } from './read-usage.ts';

const DAY_MS = 24 * 60 * 60_000;

const sameCall = and(
  eq(driveReports.instanceId, drives.instanceId),
  eq(driveReports.callId, drives.callId),
);

const within = (accountId: AccountId, { from, to }: UsageRange) =>
  and(
    eq(drives.accountId, accountId),
    from === undefined ? undefined : gte(drives.at, from),
    to === undefined ? undefined : lt(drives.at, to),
  );

/**
 * What operators wrote to terminals in a range: beside the spend and never in it, because what the
 * programs there cost cannot be known. Undefined where nothing was written.
 */
export async function summariseDrives(
  database: Database,
  accountId: AccountId,
  range: UsageRange,
  nowMs: number,
): Promise<UnmeteredWork | undefined> {
  const [row] = await database
    .select({
      drives: count(),
      aiCliDrives: count(drives.aiCli),
      instances: countDistinct(drives.instanceId),
      lastAt: max(drives.at),
      firstAt: min(drives.at),
    })
    .from(drives)
    .leftJoin(driveReports, sameCall)
    .where(
      and(within(accountId, range), eq(drives.metering, 'unmetered'), isNull(driveReports.callId)),
    );
  if (!row || row.drives === 0) return undefined;
  const { firstAt, ...told } = row;
  const lookedAtMs = (range.to ?? nowMs) - (range.from ?? firstAt ?? nowMs);
  return { ...told, windowDays: Math.max(1, Math.ceil(lookedAtMs / DAY_MS)) };
}

/**
 * What programs in terminals said of their own cost after writes in a range: a third thing beside
 * what was measured and what nobody knows, and added to neither. Undefined where none said any.
 */
export async function summariseReports(
  database: Database,
  accountId: AccountId,
  range: UsageRange,
): Promise<SelfReported | undefined> {
  const [row] = await database
    .select({
      drives: count(),
      microUsd: sum(driveReports.microUsd).mapWith(Number),
      unpriced: sum(driveReports.unpriced).mapWith(Number),
      inputTokens: sum(driveReports.inputTokens).mapWith(Number),
      outputTokens: sum(driveReports.outputTokens).mapWith(Number),
      cacheReadTokens: sum(driveReports.cacheReadTokens).mapWith(Number),
      cacheWriteTokens: sum(driveReports.cacheWriteTokens).mapWith(Number),
    })
    .from(drives)
    .innerJoin(driveReports, sameCall)
    .where(within(accountId, range));
  return row && row.drives > 0 ? row : undefined;
}
