import { and, asc, eq, gt } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { RunnerSummary } from '../../protocol/http.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { runners } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { relayOf } from '../lib/stubs.ts';

type RunnerRow = { runnerId: RunnerId; accountId: AccountId; name: string };

/** A page of an account's runners, each with the presence that its relay computes now. */
export async function listRunners(
  env: Env,
  database: Database,
  accountId: AccountId,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<RunnerSummary>> {
  const [after] = parseCursor(page.cursor, 1);
  const rows = await database
    .select()
    .from(runners)
    .where(
      and(
        eq(runners.accountId, accountId),
        after ? gt(runners.runnerId, after as RunnerId) : undefined,
      ),
    )
    .orderBy(asc(runners.runnerId))
    .limit(page.limit + 1);
  const { items, nextCursor } = pageFrom(rows, page.limit, (row) => [row.runnerId]);
  return { items: await Promise.all(items.map((row) => summarise(env, row))), nextCursor };
}

/** One runner. Throws `runner_not_found`. */
export async function readRunner(
  env: Env,
  database: Database,
  accountId: AccountId,
  runnerId: RunnerId,
): Promise<RunnerSummary> {
  const rows = await database
    .select()
    .from(runners)
    .where(and(eq(runners.accountId, accountId), eq(runners.runnerId, runnerId)));
  const row = rows[0];
  if (!row) throw new PilothouseError('runner_not_found', { runnerId });
  return summarise(env, row);
}

async function summarise(env: Env, row: RunnerRow): Promise<RunnerSummary> {
  const status = await relayOf(env, row.accountId, row.runnerId).readStatus();
  return { runnerId: row.runnerId, name: row.name, ...status };
}
