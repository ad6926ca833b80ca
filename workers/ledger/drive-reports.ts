import type { DriveReport } from '../../protocol/drive-report.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { driveReports } from '../db/schema.ts';
import { readAllowedCall } from './allowed-call.ts';

/**
 * Puts on record what a driven program said of its own cost. The first word stands. A report of a
 * call that the gate never allowed on this machine is left out: nobody wrote it.
 */
export async function appendDriveReport(
  database: Database,
  { accountId, runnerId }: { accountId: AccountId; runnerId: RunnerId },
  { drive, engine, at, models }: DriveReport,
): Promise<void> {
  const decision = await readAllowedCall(database, { accountId, runnerId }, drive);
  if (!decision) return;
  const { instanceId, callId } = drive;
  const sum = (of: (model: DriveReport['models'][number]) => number): number =>
    models.reduce((total, model) => total + of(model), 0);
  await database
    .insert(driveReports)
    .values({
      accountId,
      actorId: decision.actorId,
      instanceId,
      callId,
      runnerId,
      engine,
      at,
      models,
      microUsd: sum(({ microUsd }) => microUsd ?? 0),
      unpriced: models.some(({ microUsd }) => microUsd === null),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
      cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    })
    .onConflictDoNothing();
}
