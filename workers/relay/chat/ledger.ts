import type { ChatEntry } from '../../../protocol/operator-chat.ts';
import { bucketOf, OPERATOR_SOURCE, type UsageEntry } from '../../../protocol/usage.ts';
import type { Database } from '../../db/client.ts';
import { usageEntries } from '../../db/schema.ts';
import type { InstanceRead } from '../../operators/read.ts';

/** Puts what the agent's model took into the ledger of spend; again changes nothing. */
export async function recordUsage(
  database: Database,
  { accountId, instance }: InstanceRead,
  rows: readonly { entry: ChatEntry; usage: UsageEntry }[],
): Promise<void> {
  for (const { entry, usage } of rows)
    await database
      .insert(usageEntries)
      .values({
        accountId,
        actorId: instance.ownerId,
        sessionId: instance.id,
        position: entry.seq,
        at: entry.at,
        turnId: '',
        sourceSeq: entry.seq,
        ordinal: 0,
        engineId: OPERATOR_SOURCE,
        directory: null,
        ...usage,
        bucket: bucketOf(usage),
      })
      .onConflictDoNothing();
}
