import type { AdrReport, AdrRuleResult } from '../../../protocol/adr-report.ts';
import { counted, listTold } from './told.ts';
import { visibleLine } from './visible.ts';

const VERDICTS = { 0: 'Clean', 1: 'Failed', 2: 'Could not check' } as const;

/**
 * The closing line of a report: the verdict, what it counts, and how much was looked at. A check
 * of one change says so, because it is no word about the rest of the tree.
 */
export function summaryText(report: AdrReport): string {
  const told = listTold(report);
  const count = (severity: string) => told.filter((each) => each.severity === severity).length;
  const rules = report.records.flatMap((record) => record.rules);
  const enforced = rules.filter((rule) => rule.level === 'enforced').length;
  const skipped = rules.filter((rule) => rule.state === 'skipped').length;
  const scope =
    report.mode === 'full'
      ? `the whole tree${report.excluded ? ` but for ${counted(report.excluded, 'excluded file')}` : ''}`
      : `only what changed since ${visibleLine(report.base ?? 'an unnamed base')}`;
  const counts = [
    counted(count('error'), 'violation'),
    ...(count('unchecked') > 0 ? [`${count('unchecked')} unchecked`] : []),
    `${count('advice')} advisory`,
    `${count('waived')} waived`,
  ];
  const looked = [
    counted(report.records.length, 'record'),
    `${counted(rules.length, 'rule')} (${enforced} enforced${skipped > 0 ? `, ${skipped} skipped` : ''})`,
  ];
  const past = report.history ? [historyText(report.history)] : [];
  const seconds = (report.durationMs / 1000).toFixed(1);
  return `${VERDICTS[report.exitCode]}: ${counts.join(', ')}. ${[...looked, ...past, scope].join(', ')}, ${seconds} s.${proofs(rules)}`;
}

/** How much of the past was there to compare with: after a force push it is short, and no fault. */
function historyText({ commits, first }: NonNullable<AdrReport['history']>): string {
  if (first === null) return 'no history to compare them with';
  return `compared with ${counted(commits, 'commit')} back to ${visibleLine(first.replace(/^([0-9a-f]{9})[0-9a-f]{31,}$/, '$1'))}`;
}

/** How many rules were shown to catch what breaks them, and which were not, where that was tried. */
function proofs(rules: readonly AdrRuleResult[]): string {
  const tried = rules.filter((rule) => rule.proof);
  const open = tried.filter((rule) => rule.proof?.state !== 'proven');
  if (tried.length === 0) return '';
  const rest = open.length === 0 ? '' : `; not ${open.map(({ id }) => visibleLine(id)).join(', ')}`;
  return ` ${tried.length - open.length} of ${counted(tried.length, 'rule')} proven${rest}.`;
}
