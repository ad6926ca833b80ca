import { and, asc, eq, gte, isNull, lte, sql } from 'drizzle-orm';
import { orderBranches } from '../../protocol/decision-results.ts';
import type { BranchResult, ReportSummary, RepositoryResult } from '../../protocol/decisions.ts';
import type { AccountId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { decisionKeys, decisionReports } from '../db/schema.ts';
import { type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { SUMMARY_COLUMNS, toSummary } from './read.ts';

/** How many branches of a repository are told in the list. */
export const LISTED_BRANCHES = 30;

/**
 * A page of the repositories that have a kept report or a live key, by name, each with the last
 * result of its branches.
 */
export async function listRepositories(
  database: Database,
  accountId: AccountId,
  query: { cursor?: string | undefined; limit: number; repository?: string | undefined },
): Promise<Page<RepositoryResult>> {
  const [after = ''] = parseCursor(query.cursor, 1);
  const named = query.repository === undefined ? sql`` : sql`AND repository = ${query.repository}`;
  const names = await database.all<{ repository: string }>(sql`
    SELECT repository FROM decision_reports WHERE account_id = ${accountId} AND repository > ${after} ${named}
    UNION
    SELECT repository FROM decision_keys
    WHERE account_id = ${accountId} AND revoked_at IS NULL AND repository > ${after} ${named}
    ORDER BY repository LIMIT ${query.limit + 1}`);
  const { items, nextCursor } = pageFrom(names, query.limit, ({ repository }) => [repository]);
  const [first, last] = [items[0]?.repository, items.at(-1)?.repository];
  if (first === undefined || last === undefined) return { items: [], nextCursor };
  const [rows, keys] = await Promise.all([
    readLastOfBranches(database, accountId, first, last),
    countLiveKeys(database, accountId, first, last),
  ]);
  return {
    items: items.map(({ repository }) => {
      const mine = rows.filter(({ summary }) => summary.repository === repository);
      const branches = orderBranches(joinBranches(mine));
      return {
        repository,
        liveKeys: keys.get(repository) ?? 0,
        branches: branches.slice(0, LISTED_BRANCHES),
        moreBranches: Math.max(0, branches.length - LISTED_BRANCHES),
      };
    }),
    nextCursor,
  };
}

type LastRow = { summary: ReportSummary; isLast: boolean };

/** The last report of each branch and, where that is another one, its last full one. */
async function readLastOfBranches(
  database: Database,
  accountId: AccountId,
  first: string,
  last: string,
): Promise<LastRow[]> {
  const order = sql`ORDER BY started_at DESC, report_id DESC`;
  const ranked = database
    .select({
      ...SUMMARY_COLUMNS,
      rank: sql<number>`ROW_NUMBER() OVER (PARTITION BY repository, branch ${order})`.as('rank'),
      modeRank: sql<number>`ROW_NUMBER() OVER (PARTITION BY repository, branch, mode ${order})`.as(
        'mode_rank',
      ),
    })
    .from(decisionReports)
    .where(
      and(
        eq(decisionReports.accountId, accountId),
        gte(decisionReports.repository, first),
        lte(decisionReports.repository, last),
      ),
    )
    .as('ranked');
  const rows = await database
    .select()
    .from(ranked)
    .where(sql`rank = 1 OR (mode = 'full' AND mode_rank = 1)`);
  return rows.map(({ rank, modeRank: _modeRank, ...row }) => {
    return { summary: toSummary(row), isLast: rank === 1 };
  });
}

function joinBranches(rows: readonly LastRow[]): BranchResult[] {
  const summaries = rows.map(({ summary }) => summary);
  return rows
    .filter(({ isLast }) => isLast)
    .map(({ summary: latest }) => {
      const { branch } = latest;
      const full = summaries.find((one) => one.branch === branch && one.mode === 'full');
      return { branch, latest, latestFull: full ?? null };
    });
}

async function countLiveKeys(
  database: Database,
  accountId: AccountId,
  first: string,
  last: string,
): Promise<Map<string, number>> {
  const rows = await database
    .select({ repository: decisionKeys.repository, count: sql<number>`count(*)` })
    .from(decisionKeys)
    .where(
      and(
        eq(decisionKeys.accountId, accountId),
        isNull(decisionKeys.revokedAt),
        gte(decisionKeys.repository, first),
        lte(decisionKeys.repository, last),
      ),
    )
    .groupBy(decisionKeys.repository)
    .orderBy(asc(decisionKeys.repository));
  return new Map(rows.map(({ repository, count }) => [repository, count]));
}
