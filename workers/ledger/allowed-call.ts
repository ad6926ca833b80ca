import { and, eq } from 'drizzle-orm';
import type { DriveName } from '../../protocol/drive-report.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { gateDecisions } from '../db/schema.ts';

/** The decision that allowed a call on this machine; null: nobody wrote it, whatever is told of it. */
export async function readAllowedCall(
  database: Database,
  { accountId, runnerId }: { accountId: AccountId; runnerId: RunnerId },
  { instanceId, callId }: DriveName,
): Promise<typeof gateDecisions.$inferSelect | null> {
  const [decision] = await database
    .select()
    .from(gateDecisions)
    .where(
      and(
        eq(gateDecisions.instanceId, instanceId),
        eq(gateDecisions.callId, callId),
        eq(gateDecisions.accountId, accountId),
        eq(gateDecisions.runnerId, runnerId),
        eq(gateDecisions.effect, 'allow'),
      ),
    )
    .limit(1);
  return decision ?? null;
}
