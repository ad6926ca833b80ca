import type { AdrFinding, AdrRecordResult, AdrReport, AdrRuleResult } from './adr-report.ts';
import type { ReportCounts } from './decisions.ts';

/**
 * What a check says of one rule to a person. Beside the states of the report: `noted` is an
 * advice that was not followed, which fails nothing; `empty` is a pass over nothing, which
 * proves nothing.
 */
export type RuleVerdict = 'passed' | 'violated' | 'could_not_check' | 'skipped' | 'noted' | 'empty';

/** What a check says of one record; `unenforced` is a record that no rule fails a build for. */
export type RecordVerdict = 'passed' | 'violated' | 'could_not_check' | 'skipped' | 'unenforced';

/** The verdict on a rule. Only an enforced rule can be violated. */
export function verdictOfRule(rule: AdrRuleResult): RuleVerdict {
  switch (rule.state) {
    case 'passed':
      return rule.examined.count === 0 && rule.level === 'enforced' ? 'empty' : 'passed';
    case 'violated':
      return rule.level === 'advisory' ? 'noted' : 'violated';
    case 'could_not_check':
    case 'skipped':
      return rule.state;
    default:
      return rule.state satisfies never;
  }
}

const standing = (findings: readonly AdrFinding[]) =>
  findings.filter(({ waiver }) => waiver === null);

/**
 * The verdict on a record: the worst of its own form and its enforced rules. What could not be
 * checked is never a pass, and a rule that was left out is none either unless another one passed.
 */
export function verdictOfRecord(record: AdrRecordResult): RecordVerdict {
  const verdicts = record.rules.filter(({ level }) => level === 'enforced').map(verdictOfRule);
  const problems = standing(record.problems);
  if (problems.some(({ uncertain }) => !uncertain) || verdicts.includes('violated'))
    return 'violated';
  if (problems.length > 0 || verdicts.includes('could_not_check') || verdicts.includes('empty'))
    return 'could_not_check';
  if (verdicts.length === 0) return 'unenforced';
  return verdicts.includes('passed') ? 'passed' : 'skipped';
}

/** The unit of what a rule looked at, for its count: `1 file in layers`, `2 files in layers`. */
export function unitOf({ count, unit }: AdrRuleResult['examined']): string {
  if (count !== 1) return unit;
  return unit.replace(/(?:ies|s)(?= in |$)/, (ending) => (ending === 'ies' ? 'y' : ''));
}

/** The figures of a report's summary, from the verdicts that the page shows. */
export function countReport(report: AdrReport): ReportCounts {
  const verdicts = report.records.map(verdictOfRecord);
  const all = report.records.flatMap((record) => [
    ...record.problems,
    ...record.rules.flatMap((rule) => rule.findings),
  ]);
  const failing = report.records.flatMap((record) => [
    ...record.problems,
    ...record.rules
      .filter((rule) => verdictOfRule(rule) === 'violated')
      .flatMap((rule) => rule.findings),
  ]);
  return {
    records: report.records.length,
    violated: verdicts.filter((verdict) => verdict === 'violated').length,
    couldNotCheck: verdicts.filter((verdict) => verdict === 'could_not_check').length,
    findings: standing([...failing, ...report.problems]).length,
    waived: all.length - standing(all).length,
  };
}

/** The names that a main branch usually has, the likeliest first. */
const MAIN_BRANCHES = ['main', 'master', 'trunk', 'develop'];

/**
 * Orders branches for a person: the one that is the main branch by its name, then those checked
 * last. Which branch is the main one is in no report.
 */
export function orderBranches<
  B extends { branch: string; latest: { startedAt: number; reportId: string } },
>(branches: readonly B[]): B[] {
  const main = MAIN_BRANCHES.find((name) => branches.some(({ branch }) => branch === name));
  const isMain = (one: B) => (one.branch === main ? 1 : 0);
  return branches.toSorted(
    (a, b) =>
      isMain(b) - isMain(a) ||
      b.latest.startedAt - a.latest.startedAt ||
      (a.latest.reportId < b.latest.reportId ? 1 : -1),
  );
}
