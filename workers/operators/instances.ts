import type { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, InstanceId, OperatorId } from '../../protocol/ids.ts';
import { DEFAULT_CONSENTS, type InstanceBody } from '../../protocol/operator.ts';
import { decideChange } from '../../protocol/operator-change.ts';
import type { InstanceChange, makeInstanceRequest } from '../../protocol/operator-http.ts';
import { type Database, openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { newId } from '../lib/crypto.ts';
import { readRunner } from '../runners/read.ts';
import { appendRevision, type Saver } from './append.ts';
import { listDefinitionVersions, requireStanding } from './definitions.ts';
import { requireRevision } from './read.ts';

/**
 * Makes an instance. Throws `runner_not_found`, `operator_not_found`, `operator_withdrawn`, and
 * `operator_changed` when another version than the one agreed to stands.
 */
export async function makeInstance(
  env: Env,
  maker: Saver,
  request: z.output<typeof makeInstanceRequest>,
  nowMs: number,
): Promise<InstanceId> {
  const database = openDatabase(env.DB);
  const { operatorId, runnerId, consents, ...said } = request;
  await readRunner(env, database, maker.accountId, runnerId);
  const { version } = await requireStanding(database, maker.accountId, operatorId);
  if (version !== said.agreedVersion) throw new PilothouseError('operator_changed', { operatorId });
  const instanceId = newId('ins', nowMs);
  const body: InstanceBody = { ...said, consents: consents ?? DEFAULT_CONSENTS, state: 'active' };
  const made = { ownerId: maker.actorId, createdAt: nowMs };
  const row = { instanceId, revision: 1, operatorId, runnerId, ...made, body, at: nowMs };
  await appendRevision(database, maker, row);
  return instanceId;
}

/**
 * Changes an instance; what is so already stays as it is. Throws `instance_not_found`,
 * `instance_removed`, and `conflict` when somebody else changes it at the same moment.
 */
export async function changeInstance(
  env: Env,
  changer: Saver,
  instanceId: InstanceId,
  change: InstanceChange,
  nowMs: number,
): Promise<void> {
  const database = openDatabase(env.DB);
  const { row, body } = await requireRevision(database, changer.accountId, instanceId);
  const changed = decideChange(body, change);
  if (change.change === 'agree')
    await requireVersion(database, changer.accountId, row.operatorId, change.version);
  if (JSON.stringify(changed) === JSON.stringify(body)) return;
  const revision = row.revision + 1;
  await appendRevision(database, changer, { ...row, revision, body: changed, at: nowMs });
}

async function requireVersion(
  database: Database,
  accountId: AccountId,
  operatorId: OperatorId,
  version: number,
): Promise<void> {
  const known = await listDefinitionVersions(database, accountId, operatorId);
  if (known.some((one) => one.version === version)) return;
  const detail = `version: ${version} was never published`;
  throw new PilothouseError('bad_request', { field: 'version', detail });
}
