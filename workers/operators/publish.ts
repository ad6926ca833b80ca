import { PilothouseError } from '../../protocol/errors.ts';
import type { OperatorId } from '../../protocol/ids.ts';
import { BUILT_IN_OPERATORS } from '../../protocol/builtin-operators.ts';
import type { OperatorEntry, PublishOperatorRequest } from '../../protocol/operator-http.ts';
import type { Database } from '../db/client.ts';
import { newId } from '../lib/crypto.ts';
import { appendDefinition, type Saver } from './append.ts';
import { ownEntryOf, readNewestRow } from './definitions.ts';

/**
 * Publishes a version, or a new operator. Throws `operator_built_in`, `operator_not_found`, and
 * `operator_changed` when another version than `basedOn` stands.
 */
export async function publishOperator(
  database: Database,
  creator: Saver,
  { operatorId, basedOn, body }: PublishOperatorRequest,
  nowMs: number,
): Promise<OperatorEntry> {
  const id = operatorId ?? newId('opr', nowMs);
  const newest = operatorId && (await requireOwn(database, creator, operatorId));
  if ((newest?.version ?? 0) !== basedOn)
    throw new PilothouseError('operator_changed', { operatorId: id });
  const version = basedOn + 1;
  const row = { operatorId: id, version, body, at: nowMs };
  return ownEntryOf(await appendDefinition(database, creator, row));
}

/**
 * Withdraws an operator: nothing new is made of it, and what runs goes on. Again is no error.
 * Throws `operator_built_in` and `operator_not_found`.
 */
export async function withdrawOperator(
  database: Database,
  creator: Saver,
  operatorId: OperatorId,
  nowMs: number,
): Promise<void> {
  const newest = await requireOwn(database, creator, operatorId);
  if (newest.body === null) return;
  const version = newest.version + 1;
  await appendDefinition(database, creator, { operatorId, version, body: null, at: nowMs });
}

async function requireOwn(database: Database, { accountId }: Saver, operatorId: OperatorId) {
  if (BUILT_IN_OPERATORS.some(({ id }) => id === operatorId))
    throw new PilothouseError('operator_built_in', { operatorId });
  const newest = await readNewestRow(database, accountId, operatorId);
  if (!newest) throw new PilothouseError('operator_not_found', { operatorId });
  return newest;
}
