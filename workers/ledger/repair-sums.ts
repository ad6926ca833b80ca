import { eq, type SQL, sql } from 'drizzle-orm';
import type { RepairedSums } from '../../protocol/http.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { usageDays, usageEntries, usageSessionDays, usageSessions } from '../db/schema.ts';

/** The columns that tell one sum from another, in the order in which each table has them. */
const TABLES = [
  { table: usageDays, columns: 'day, engine_id, directory, model' },
  { table: usageSessionDays, columns: 'day, session_id' },
  { table: usageSessions, columns: 'session_id' },
] as const;

const FIGURES =
  'micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced';

/**
 * Compares the sums of an account with its entries, and makes them anew where any differs. The
 * database keeps them with each entry; a copy of it that was put together by hand may not have.
 * The entries are the truth and stay as they are.
 */
export async function repairSums(database: Database, accountId: AccountId): Promise<RepairedSums> {
  const counted = await database.all<{ entries: number }>(
    sql`SELECT count(*) AS entries FROM ${usageEntries} WHERE account_id = ${accountId}`,
  );
  let wrong = 0;
  for (const part of TABLES) wrong += await countWrong(database, accountId, part);
  if (wrong > 0) await database.batch(listStatements(database, accountId));
  return { entries: counted[0]?.entries ?? 0, wrong };
}

type Part = (typeof TABLES)[number];

/** Sums that are there and should not be so, and sums that should be there and are not. */
async function countWrong(database: Database, accountId: AccountId, part: Part): Promise<number> {
  const kept = sql`SELECT ${listColumns(part)} FROM ${part.table} WHERE account_id = ${accountId}`;
  const right = selectRight(accountId, part);
  const rows = await database.all<{ wrong: number }>(sql`SELECT max(
    (SELECT count(*) FROM (SELECT * FROM (${kept}) EXCEPT SELECT * FROM (${right}))),
    (SELECT count(*) FROM (SELECT * FROM (${right}) EXCEPT SELECT * FROM (${kept})))
  ) AS wrong`);
  return rows[0]?.wrong ?? 0;
}

/** All of it in one transaction: a reader never sees sums that are half made. */
function listStatements(database: Database, accountId: AccountId) {
  const statements = TABLES.flatMap((part) => [
    database.delete(part.table).where(eq(part.table.accountId, accountId)),
    database.insert(part.table).select(selectRight(accountId, part)),
  ]);
  const [first, ...rest] = statements;
  if (!first) throw new Error('there is nothing to repair');
  return [first, ...rest] as const;
}

const listColumns = ({ columns }: Part): SQL =>
  sql.raw(`account_id, ${columns}, provenance, payer, bucket, ${FIGURES}`);

function selectRight(accountId: AccountId, { columns }: Part): SQL {
  return sql`SELECT account_id, ${sql.raw(columns)}, provenance, payer, bucket,
      coalesce(sum(micro_usd), 0), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens),
      sum(cache_write_tokens), count(*), count(*) - count(micro_usd)
    FROM (SELECT account_id, at / 86400000 AS day, session_id, engine_id,
        coalesce(directory, '') AS directory, model, provenance, payer, bucket, micro_usd,
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens
      FROM ${usageEntries} WHERE account_id = ${accountId})
    GROUP BY account_id, ${sql.raw(columns)}, provenance, payer, bucket`;
}
