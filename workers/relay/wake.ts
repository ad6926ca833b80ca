import { and, eq, sql } from 'drizzle-orm';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import { openDatabase } from '../db/client.ts';
import { operatorInstances } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { describeFault, log } from '../lib/logger.ts';
import { chatOf, sweeperOf } from '../lib/stubs.ts';

/**
 * A machine has connected, perhaps because our own process was killed and is there again: what was
 * under way for it goes on now, and not when an alarm that was left behind goes off. Never throws: the
 * alarms stand behind it.
 */
export async function wakeWork(
  env: Env,
  { accountId, runnerId }: { accountId: AccountId; runnerId: RunnerId },
): Promise<void> {
  try {
    const { instanceId, revision, body } = operatorInstances;
    const rows = await openDatabase(env.DB)
      .select({ instanceId })
      .from(operatorInstances)
      .where(
        and(
          eq(operatorInstances.accountId, accountId),
          eq(operatorInstances.runnerId, runnerId),
          sql`(${instanceId}, ${revision}) IN (
            SELECT instance_id, MAX(revision) FROM operator_instances
            WHERE account_id = ${accountId} GROUP BY instance_id)`,
          // Without a model it has no agent of ours that anything could be under way for.
          sql`json_extract(${body}, '$.brain') IS NOT NULL AND json_extract(${body}, '$.state') <> 'removed'`,
        ),
      );
    await Promise.all([
      sweeperOf(env).wake(),
      ...rows.map((row) => chatOf(env, accountId, row.instanceId).wake()),
    ]);
  } catch (fault) {
    log('warn', 'relay.wake', { runnerId, fault: describeFault(fault) });
  }
}
