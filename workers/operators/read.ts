import { and, desc, eq } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, InstanceId } from '../../protocol/ids.ts';
import {
  decideRunningVersion,
  instanceBody,
  type InstanceBody,
  operatorInstance,
  type OperatorDefinition,
  type OperatorInstance,
} from '../../protocol/operator.ts';
import { openDatabase, type Database } from '../db/client.ts';
import { operatorInstances } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { describeFault } from '../lib/logger.ts';
import { listDefinitionVersions } from './definitions.ts';

/** An instance as it stands, the definition that it runs, and whose it is. */
export type InstanceRead = {
  accountId: AccountId;
  instance: OperatorInstance;
  definition: OperatorDefinition;
};

type InstanceRow = typeof operatorInstances.$inferSelect;

/**
 * An instance with the definition that runs; null when no instance has this id. A paused or removed
 * one is read too. Throws `operator_unreadable`: what cannot be read may do nothing.
 */
export async function readInstance(
  env: Pick<Env, 'DB'>,
  instanceId: InstanceId,
): Promise<InstanceRead | null> {
  try {
    const database = openDatabase(env.DB);
    const row = await readNewestRevision(database, instanceId);
    if (!row) return null;
    const { accountId, operatorId } = row;
    return toInstance(await listDefinitionVersions(database, accountId, operatorId), row);
  } catch (error) {
    if (error instanceof PilothouseError) throw error;
    const detail = describeFault(error);
    throw new PilothouseError('operator_unreadable', { detail }, { cause: error });
  }
}

/** The last revision of an instance of this account. Throws `instance_not_found`. */
export async function requireRevision(
  database: Database,
  accountId: AccountId,
  instanceId: InstanceId,
): Promise<{ row: InstanceRow; body: InstanceBody }> {
  const row = await readNewestRevision(database, instanceId, accountId);
  if (!row) throw new PilothouseError('instance_not_found', { instanceId });
  const parsed = instanceBody.safeParse(row.body);
  if (!parsed.success) throw unreadable(row);
  return { row, body: parsed.data };
}

async function readNewestRevision(
  database: Database,
  instanceId: InstanceId,
  accountId?: AccountId,
): Promise<InstanceRow | undefined> {
  const rows = await database
    .select()
    .from(operatorInstances)
    .where(
      and(
        eq(operatorInstances.instanceId, instanceId),
        accountId && eq(operatorInstances.accountId, accountId),
      ),
    )
    .orderBy(desc(operatorInstances.revision))
    .limit(1);
  return rows[0];
}

/** A revision as it stands, with that of its operator's `versions` which it runs. Pure. */
export function toInstance(
  versions: readonly OperatorDefinition[],
  row: InstanceRow,
): InstanceRead {
  const { accountId, instanceId, operatorId, ownerId, runnerId, revision, createdAt, body } = row;
  const definition = decideRunningVersion(versions, body.agreedVersion);
  const parsed = operatorInstance.safeParse({
    ...body,
    id: instanceId,
    operatorId,
    ownerId,
    runnerId,
    definitionVersion: definition?.version,
    revision,
    createdAt,
    changedAt: row.at,
  });
  if (definition && parsed.success) return { accountId, instance: parsed.data, definition };
  throw unreadable(row);
}

const unreadable = ({ instanceId, revision }: InstanceRow): PilothouseError =>
  new PilothouseError('operator_unreadable', {
    detail: `revision ${revision} of ${instanceId} cannot be read by this version`,
  });
