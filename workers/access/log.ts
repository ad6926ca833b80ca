import type { Database } from '../db/client.ts';
import { accessLog } from '../db/schema.ts';
import type { Principal } from './principal.ts';

export type Access = {
  requestId: string;
  operation: string;
  target: string;
  status: number;
  errorCode: string | null;
};

/** Records who asked for what and how it ended. Throws when it cannot: an unlogged change is a fault. */
export async function appendAccess(
  database: Database,
  principal: Principal,
  access: Access,
  at: number,
): Promise<void> {
  const { accountId, actorId, kind, name } = principal;
  await database
    .insert(accessLog)
    .values({ ...access, accountId, actorId, principalKind: kind, principalName: name, at });
}
