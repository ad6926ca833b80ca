import { z } from 'zod';
import { adrReport } from './adr-report.ts';
import { pageOf, pageQuery } from './http.ts';
import { decisionKeyId, decisionReportId } from './ids.ts';

/** Largest report that is kept, in bytes of JSON: a row of D1 has room for 2,000,000 in all. */
export const REPORT_MAX_BYTES = 1_900_000;

/** Where a build posts its report. The key says for which repository; the query says the branch. */
export const REPORTS_PATH = '/v1/decisions/reports';

/**
 * A repository as its owner calls it (`acme/site`). No part is `.` or `..`: the name is a part of
 * addresses.
 */
export const repositoryName = z
  .string()
  .max(140)
  .regex(
    /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/,
    'expected a name such as acme/site: letters, digits, - _ . and / between its parts',
  );

/** A branch as git names it: no blanks and no control characters. */
export const branchName = z
  .string()
  .max(255)
  .regex(/^[^\s\p{Cc}]+$/u, 'expected the name of a branch, without blanks');

/** A key that posts reports of one repository and opens nothing else. */
export const decisionKey = z.object({
  keyId: decisionKeyId,
  repository: repositoryName,
  /** Where it is used, in the words of whoever made it. */
  name: z.string(),
  madeBy: z.enum(['person', 'cli']),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
});
export type DecisionKey = z.infer<typeof decisionKey>;
export const decisionKeyPage = pageOf(decisionKey);
export const decisionKeysQuery = z.object({
  ...pageQuery.shape,
  repository: repositoryName.optional(),
});

export const makeDecisionKeyRequest = z.object({
  repository: repositoryName,
  name: z.string().trim().min(1).max(60).default('CI'),
});
/** The token is in this one answer and nowhere else. */
export const madeDecisionKey = z.object({ key: decisionKey, token: z.string() });
export type MadeDecisionKey = z.infer<typeof madeDecisionKey>;

/** A report as it may be posted: the commit is a part of its key, so it has an end. */
export const postedReport = z.object({
  ...adrReport.shape,
  commit: z.string().min(1).max(100).nullable(),
});
export const postReportQuery = z.object({ branch: branchName });
/**
 * `known`: a report of the same repository, commit and start is kept already, and stands.
 * `too_old`: so many later ones are kept that this one was not.
 */
export const postedOutcome = z.object({
  outcome: z.enum(['kept', 'known', 'too_old']),
  reportId: decisionReportId.nullable(),
});
export type PostedOutcome = z.infer<typeof postedOutcome>;

/** How many records are in which state, and how many things are told beside. */
export const reportCounts = z.object({
  records: z.int().nonnegative(),
  violated: z.int().nonnegative(),
  couldNotCheck: z.int().nonnegative(),
  /** Findings that fail the check; waived and advisory ones are apart. */
  findings: z.int().nonnegative(),
  waived: z.int().nonnegative(),
});
export type ReportCounts = z.infer<typeof reportCounts>;

export const reportSummary = z.object({
  reportId: decisionReportId,
  repository: repositoryName,
  branch: branchName,
  commit: z.string().nullable(),
  mode: adrReport.shape.mode,
  exitCode: adrReport.shape.exitCode,
  toolVersion: z.string(),
  startedAt: z.int(),
  receivedAt: z.int(),
  counts: reportCounts,
});
export type ReportSummary = z.infer<typeof reportSummary>;
export const reportPage = pageOf(reportSummary);
export const reportsQuery = z.object({
  ...pageQuery.shape,
  repository: repositoryName,
  branch: branchName.optional(),
});

export const reportDetail = z.object({ summary: reportSummary, report: adrReport });
export type ReportDetail = z.infer<typeof reportDetail>;

export const branchResult = z.object({
  branch: branchName,
  /** The run that began last, whenever it was posted. */
  latest: reportSummary,
  /** The last run that looked at everything; a change-only run may have left rules out. */
  latestFull: reportSummary.nullable(),
});
export type BranchResult = z.infer<typeof branchResult>;

export const repositoryResult = z.object({
  repository: repositoryName,
  liveKeys: z.int().nonnegative(),
  /** The main branch first, then the one checked last; empty until a report was posted. */
  branches: z.array(branchResult),
  /** Branches with kept reports that are not in the list. */
  moreBranches: z.int().nonnegative(),
});
export type RepositoryResult = z.infer<typeof repositoryResult>;
export const repositoryPage = pageOf(repositoryResult);
/** `repository`: that one alone, or an empty page. */
export const repositoriesQuery = z.object({
  ...pageQuery.shape,
  repository: repositoryName.optional(),
});
