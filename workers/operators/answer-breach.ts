import { PilothouseError } from '../../protocol/errors.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { findBreach } from '../ledger/read-breaches.ts';
import { insertRow } from '../ledger/append.ts';
import type { Saver } from './append.ts';
import { requireRevision } from './read.ts';

/**
 * Puts a person's word for a breach of an operator on record: the first one stands, and said again it
 * changes nothing. After that for the last open one its instance may write again. Throws
 * `instance_not_found` and `breach_not_found`.
 */
export async function answerBreach(
  database: Database,
  { accountId, actorId, kind }: Saver,
  { instanceId, actId, reason }: { instanceId: InstanceId; actId: string; reason: string },
  nowMs: number,
): Promise<void> {
  await requireRevision(database, accountId, instanceId);
  const breach = await findBreach(database, accountId, instanceId, actId);
  if (!breach) throw new PilothouseError('breach_not_found', { actId });
  const channel = kind === 'person' ? 'console' : 'cli';
  const by = { accountId, actorId, sessionId: instanceId, position: 0, at: nowMs };
  await insertRow(database, {
    table: 'breachOverride',
    values: { ...by, actId, reason, channel },
  });
}
