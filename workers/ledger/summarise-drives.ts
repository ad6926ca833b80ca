import { and, count, countDistinct, eq, gte, lt, max, min } from 'drizzle-orm';
import type { UnmeteredWork } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { drives } from '../db/schema.ts';
import type { UsageRange } from './read-usage.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * What operators wrote to terminals in a range: beside the spend and never in it, because what the
 * programs there cost cannot be known. Undefined where nothing was written.
 */
export async function summariseDrives(
  database: Database,
  accountId: AccountId,
  { from, to }: UsageRange,
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
    .where(
      and(
        eq(drives.accountId, accountId),
        eq(drives.metering, 'unmetered'),
        from === undefined ? undefined : gte(drives.at, from),
        to === undefined ? undefined : lt(drives.at, to),
      ),
    );
  if (!row || row.drives === 0) return undefined;
  const { firstAt, ...told } = row;
  const lookedAtMs = (to ?? nowMs) - (from ?? firstAt ?? nowMs);
  return { ...told, windowDays: Math.max(1, Math.ceil(lookedAtMs / DAY_MS)) };
}
