import type { Command } from 'commander';
import type { AdrFinding, AdrRecordResult } from '../../../protocol/adr-report.ts';
import { unitOf, verdictOfRecord, verdictOfRule } from '../../../protocol/decision-results.ts';
import type { ReportDetail } from '../../../protocol/decisions.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { paintFor, print, type Paint, type Style } from '../output.ts';
import { describeRun, parseBranch, parseRepository, RESULT_WORDS, VERDICT_WORDS } from './words.ts';

type ShowOptions = ConnectionOptions & { branch?: string };

/** So many findings of a rule are printed; `--json` has all. */
const SHOWN_FINDINGS = 5;

/** `pilothouse decisions show`: the records of a repository and what enforces each. */
export function addShow(decisions: Command): void {
  withConnection(decisions.command('show'))
    .description('show the records of a repository, what enforces each, and what was found')
    .argument('<repository>', 'name of the repository', parseRepository)
    .option('--branch <branch>', 'of this branch instead of the main one', parseBranch)
    .addHelpText('after', '\nExample:\n  pilothouse decisions show acme/site --branch main')
    .action(async (repository: string, options: ShowOptions) => {
      const { api } = connect(options, process.env);
      const { items } = await api.listRepositories({ repository, limit: 1 });
      const branches = items[0]?.branches ?? [];
      const chosen =
        options.branch === undefined
          ? branches[0]
          : branches.find(({ branch }) => branch === options.branch);
      if (!chosen) throw notThere(branches.map(({ branch }) => branch));
      const detail = await api.readReport(chosen.latest.reportId);
      print(options.json, detail, () => describeReport(detail, paintFor(process.stdout)));
    });
}

function notThere(branches: readonly string[]): Failure {
  const known = branches.slice(0, 8).join(', ');
  const hint = known === '' ? '' : ` Branches with a report: ${known}.`;
  return new Failure(
    EXIT.refused,
    'decision_report_not_found',
    ERRORS.decision_report_not_found.sentence + hint,
  );
}

const STYLES: Partial<Record<string, Style>> = {
  passed: 'green',
  violated: 'red',
  could_not_check: 'yellow',
  empty: 'yellow',
};
const paintVerdict = (paint: Paint, verdict: keyof typeof VERDICT_WORDS) =>
  paint(STYLES[verdict] ?? 'dim', VERDICT_WORDS[verdict]);

function describeReport({ summary, report }: ReportDetail, paint: Paint): string {
  const { repository, branch, exitCode, mode } = summary;
  const looked = mode === 'full' ? 'everything' : 'only what changed';
  return [
    `${paint('bold', repository)} ${branch}: ${RESULT_WORDS[exitCode]}, checked ${describeRun(summary, Date.now())}, ${looked}`,
    ...describeFindings(report.problems, '  '),
    ...report.records.flatMap((record) => describeRecord(record, paint)),
  ].join('\n');
}

function describeRecord(record: AdrRecordResult, paint: Paint): string[] {
  const verdict = paintVerdict(paint, verdictOfRecord(record));
  return [
    '',
    `${oneLine(record.id, 12)} ${paint('bold', oneLine(record.title, 80))}  ${record.status}  ${verdict}`,
    ...describeFindings(record.problems, '  '),
    ...record.rules.flatMap((rule) => [
      `  ${paintVerdict(paint, verdictOfRule(rule))}  ${oneLine(rule.id, 40)}  ${rule.kind}, ${rule.level}, ${rule.examined.count} ${oneLine(unitOf(rule.examined), 20)}`,
      ...(rule.note === null ? [] : [`      ${oneLine(rule.note, 160)}`]),
      ...describeFindings(rule.findings, '      '),
    ]),
  ];
}

function describeFindings(findings: readonly AdrFinding[], indent: string): string[] {
  const lines = findings.slice(0, SHOWN_FINDINGS).map(({ place, message, waiver }) => {
    const at =
      place === null ? '' : `${place.path}${place.line === null ? '' : `:${place.line}`}  `;
    const waived = waiver === null ? '' : `  (waived by ${waiver.owner} until ${waiver.expires})`;
    return indent + oneLine(`${at}${message}${waived}`, 200);
  });
  const left = findings.length - lines.length;
  return left > 0 ? [...lines, `${indent}and ${left} more: --json has all`] : lines;
}
