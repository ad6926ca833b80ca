import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { countReport } from '../../protocol/decision-results.ts';
import {
  type PostedOutcome,
  type postedReport,
  REPORT_MAX_BYTES,
} from '../../protocol/decisions.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, ActorId, DecisionKeyId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { decisionReports } from '../db/schema.ts';
import { newId } from '../lib/crypto.ts';

/** How many reports of one branch are kept, and of one repository in all. */
export const KEPT_PER_BRANCH = 50;
export const KEPT_PER_REPOSITORY = 300;

/** Two clocks differ; a report that begins later than this, in ms, would stay the latest. */
export const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** Whom a key posts for. */
export type Poster = {
  accountId: AccountId;
  actorId: ActorId;
  keyId: DecisionKeyId;
  repository: string;
};

/**
 * Keeps a report, once for each repository, commit and start. Then the oldest go, by when their
 * check began: those beyond {@link KEPT_PER_BRANCH} of their branch, and beyond
 * {@link KEPT_PER_REPOSITORY} of the repository, where the last of each branch goes after all
 * that are not the last. Throws `report_from_future` and `report_too_large`.
 */
export async function appendReport(
  database: Database,
  poster: Poster,
  branch: string,
  report: z.infer<typeof postedReport>,
  nowMs: number,
): Promise<PostedOutcome> {
  if (report.startedAt > nowMs + CLOCK_TOLERANCE_MS)
    throw new PilothouseError('report_from_future', { startedAt: report.startedAt, nowMs });
  const text = JSON.stringify(report);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > REPORT_MAX_BYTES)
    throw new PilothouseError('report_too_large', { bytes, maxBytes: REPORT_MAX_BYTES });
  const { accountId, repository } = poster;
  const commit = report.commit ?? '';
  const insert = database
    .insert(decisionReports)
    .values({
      ...poster,
      reportId: newId('drp', nowMs),
      branch,
      commit,
      mode: report.mode,
      exitCode: report.exitCode,
      toolVersion: report.tool.version.slice(0, 60),
      startedAt: report.startedAt,
      receivedAt: nowMs,
      counts: countReport(report),
      report: text,
    })
    .onConflictDoNothing()
    .returning({ reportId: decisionReports.reportId });
  const [inserted] = await database.batch([insert, pruneReports(database, accountId, repository)]);
  const kept = await database
    .select({ reportId: decisionReports.reportId })
    .from(decisionReports)
    .where(
      and(
        eq(decisionReports.accountId, accountId),
        eq(decisionReports.repository, repository),
        eq(decisionReports.commit, commit),
        eq(decisionReports.startedAt, report.startedAt),
      ),
    );
  const reportId = kept[0]?.reportId ?? null;
  if (reportId === null) return { outcome: 'too_old', reportId };
  return { outcome: inserted.length > 0 ? 'kept' : 'known', reportId };
}

function pruneReports(database: Database, accountId: AccountId, repository: string) {
  return database.delete(decisionReports).where(sql`report_id IN (
    SELECT report_id FROM (
      SELECT report_id, depth,
        ROW_NUMBER() OVER (ORDER BY depth, started_at DESC, report_id DESC) AS place
      FROM (
        SELECT report_id, started_at,
          ROW_NUMBER() OVER (PARTITION BY branch ORDER BY started_at DESC, report_id DESC) AS depth
        FROM decision_reports WHERE account_id = ${accountId} AND repository = ${repository}
      )
    ) WHERE depth > ${KEPT_PER_BRANCH} OR place > ${KEPT_PER_REPOSITORY}
  )`);
}
