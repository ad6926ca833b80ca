import { InvalidArgumentError } from 'commander';
import type { RecordVerdict, RuleVerdict } from '../../../protocol/decision-results.ts';
import { branchName, repositoryName, type ReportSummary } from '../../../protocol/decisions.ts';
import { formatAgo, oneLine } from '../format.ts';

/** What a verdict is called, as on the page of the console. */
export const VERDICT_WORDS: Record<RecordVerdict | RuleVerdict, string> = {
  passed: 'holds',
  violated: 'violated',
  could_not_check: 'could not check',
  empty: 'examined nothing',
  skipped: 'not looked at',
  noted: 'advice not followed',
  unenforced: 'nothing enforces it',
};

/** What a whole run came to, by its exit code. */
export const RESULT_WORDS: Record<ReportSummary['exitCode'], string> = {
  0: 'clean',
  1: 'violations',
  2: 'could not check',
};

/** A repository as typed. Throws what commander shows as wrong usage. */
export function parseRepository(text: string): string {
  if (repositoryName.safeParse(text).success) return text;
  throw new InvalidArgumentError('Give the name of a repository, such as acme/site.');
}

/** A branch as typed. Throws what commander shows as wrong usage. */
export function parseBranch(text: string): string {
  if (branchName.safeParse(text).success) return text;
  throw new InvalidArgumentError('Give the name of a branch, such as main.');
}

/** When a run began and of which commit, as far as the build knew it. */
export function describeRun(run: ReportSummary, nowMs: number): string {
  const when = formatAgo(run.startedAt, nowMs);
  return run.commit === null ? when : `${when} at ${oneLine(run.commit, 9)}`;
}
