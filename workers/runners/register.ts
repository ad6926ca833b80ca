import { and, eq } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import { endRunnerCredentials, issueCredential } from '../access/credentials.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { runners } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { newId } from '../lib/crypto.ts';
import { relayOf } from '../lib/stubs.ts';

/**
 * Registers a runner, or gives a registered one a new token and perhaps a new name. Earlier
 * tokens stop working, and a link that was opened with one of them is ended.
 */
export async function registerRunner(
  env: Env,
  database: Database,
  principal: Principal,
  input: { runnerId: RunnerId | undefined; name: string },
  nowMs: number,
): Promise<{ runnerId: RunnerId; token: string }> {
  const { accountId, actorId } = principal;
  const runnerId = input.runnerId ?? newId('run', nowMs);
  const kept = await database
    .insert(runners)
    .values({ runnerId, accountId, actorId, name: input.name, createdAt: nowMs, updatedAt: nowMs })
    .onConflictDoUpdate({
      target: runners.runnerId,
      set: { name: input.name, updatedAt: nowMs },
      setWhere: eq(runners.accountId, accountId),
    })
    .returning({ runnerId: runners.runnerId });
  if (kept.length === 0) throw new PilothouseError('runner_not_found', { runnerId });
  await endRunnerCredentials(database, accountId, runnerId, nowMs);
  const { token } = await issueCredential(
    database,
    { kind: 'runner', name: input.name, runnerId, accountId, actorId },
    nowMs,
  );
  // Last: where its access is taken back in this moment, no token is left that works.
  await relayOf(env, accountId, runnerId).admit();
  return { runnerId, token };
}

/** Throws `runner_not_found` unless the runner is this account's. */
export async function requireRunner(
  database: Database,
  accountId: AccountId,
  runnerId: RunnerId,
): Promise<void> {
  const rows = await database
    .select({ runnerId: runners.runnerId })
    .from(runners)
    .where(and(eq(runners.accountId, accountId), eq(runners.runnerId, runnerId)))
    .limit(1);
  if (rows.length === 0) throw new PilothouseError('runner_not_found', { runnerId });
}
