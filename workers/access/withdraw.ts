import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { viewedFeeds } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { feedOf } from '../lib/stubs.ts';
import { endCredential } from './credentials.ts';

/**
 * Ends a credential and closes every socket that was opened with it. In this order: a socket that
 * is opening meanwhile either finds the credential ended, or is on the list that is read after.
 * Throws when a feed cannot be told; the credential is ended all the same.
 */
export async function withdrawCredential(
  env: Env,
  database: Database,
  tokenHash: string,
  nowMs: number,
): Promise<void> {
  await endCredential(database, tokenHash, nowMs);
  const viewed = await database
    .select()
    .from(viewedFeeds)
    .where(eq(viewedFeeds.tokenHash, tokenHash));
  await Promise.all(
    viewed.map(({ accountId, sessionId }) =>
      feedOf(env, accountId, sessionId).endViewers(tokenHash),
    ),
  );
}
