import { PilothouseError } from '../../protocol/errors.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { operatorDefinitions, operatorInstances } from '../db/schema.ts';

/** Who changes what an account keeps. */
export type Saver = Principal & { kind: 'person' | 'cli' };

type Unsaid = 'accountId' | 'actorId' | 'savedBy';

/** Puts a version on record. Its number is its place: of two at once, one is refused. */
export async function appendDefinition(
  database: Database,
  { accountId, actorId, kind }: Saver,
  row: Omit<typeof operatorDefinitions.$inferInsert, Unsaid>,
) {
  const [appended] = await database
    .insert(operatorDefinitions)
    .values({ ...row, accountId, actorId, savedBy: kind })
    .onConflictDoNothing()
    .returning();
  if (!appended) throw new PilothouseError('operator_changed', { operatorId: row.operatorId });
  return appended;
}

/** Puts a revision of an instance on record; of two at once, one is refused. */
export async function appendRevision(
  database: Database,
  { accountId, actorId, kind }: Saver,
  row: Omit<typeof operatorInstances.$inferInsert, Unsaid>,
) {
  const [appended] = await database
    .insert(operatorInstances)
    .values({ ...row, accountId, actorId, savedBy: kind })
    .onConflictDoNothing()
    .returning();
  if (!appended) throw new PilothouseError('conflict', { instanceId: row.instanceId });
  return appended;
}
