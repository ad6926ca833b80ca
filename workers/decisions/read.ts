import { and, desc, eq, sql } from 'drizzle-orm';
import { adrReport } from '../../protocol/adr-report.ts';
import type { ReportDetail, ReportSummary } from '../../protocol/decisions.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, DecisionReportId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { decisionReports } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';

/** Everything of a row but the report itself, which is read one at a time. */
export const SUMMARY_COLUMNS = {
  reportId: decisionReports.reportId,
  repository: decisionReports.repository,
  branch: decisionReports.branch,
  commit: decisionReports.commit,
  mode: decisionReports.mode,
  exitCode: decisionReports.exitCode,
  toolVersion: decisionReports.toolVersion,
  startedAt: decisionReports.startedAt,
  receivedAt: decisionReports.receivedAt,
  counts: decisionReports.counts,
};

/** A row as it is told: a commit that the build did not know is null. */
export function toSummary(row: Omit<ReportSummary, 'commit'> & { commit: string }): ReportSummary {
  return { ...row, commit: row.commit === '' ? null : row.commit };
}

/** A page of a repository's kept reports, the check that began last first. */
export async function listReports(
  database: Database,
  accountId: AccountId,
  query: {
    cursor?: string | undefined;
    limit: number;
    repository: string;
    branch?: string | undefined;
  },
): Promise<Page<ReportSummary>> {
  const [startedAt, id] = parseCursor(query.cursor, 2);
  const before =
    startedAt === undefined
      ? undefined
      : sql`(${decisionReports.startedAt}, ${decisionReports.reportId}) < (${numberOf(startedAt)}, ${id})`;
  const rows = await database
    .select(SUMMARY_COLUMNS)
    .from(decisionReports)
    .where(
      and(
        eq(decisionReports.accountId, accountId),
        eq(decisionReports.repository, query.repository),
        query.branch === undefined ? undefined : eq(decisionReports.branch, query.branch),
        before,
      ),
    )
    .orderBy(desc(decisionReports.startedAt), desc(decisionReports.reportId))
    .limit(query.limit + 1);
  const { items, nextCursor } = pageFrom(rows, query.limit, (row) => [row.startedAt, row.reportId]);
  return { items: items.map(toSummary), nextCursor };
}

/** One report as it was posted. Throws `decision_report_not_found`. */
export async function readReport(
  database: Database,
  accountId: AccountId,
  reportId: DecisionReportId,
): Promise<ReportDetail> {
  const rows = await database
    .select({ summary: SUMMARY_COLUMNS, report: decisionReports.report })
    .from(decisionReports)
    .where(and(eq(decisionReports.accountId, accountId), eq(decisionReports.reportId, reportId)));
  const row = rows[0];
  if (!row) throw new PilothouseError('decision_report_not_found', { reportId });
  return { summary: toSummary(row.summary), report: adrReport.parse(JSON.parse(row.report)) };
}
