import { type AdrReport } from '../../../protocol/adr-report.ts';
import { listTold, ruleName, type Severity, type Told, waiverText } from './told.ts';
import { summaryText } from './summary.ts';
import { visibleLine, visibleLines } from './visible.ts';

/** Workflow commands (GitHub Docs, "Workflow commands for GitHub Actions"). */
const COMMANDS = {
  error: 'error',
  unchecked: 'error',
  advice: 'warning',
  waived: 'notice',
} as const satisfies Record<Severity, string>;

/** GitHub shows ten annotations of a kind for a step: the ones that fail the build come first. */
const ORDER = ['unchecked', 'error', 'advice', 'waived'] as const satisfies readonly Severity[];

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function titleOf({ record, rule }: Told): string {
  if (!record) return 'Decision records could not be checked';
  return rule ? `${ruleName(record, rule)} (${rule.level})` : `ADR-${record.id}, the record itself`;
}

function messageOf({ record, rule, finding }: Told): string {
  const lines = visibleLines(finding.message);
  if (finding.excerpt !== null) lines.push(...visibleLines(finding.excerpt).map((l) => `  ${l}`));
  if (rule && record) lines.push(`Why: ${visibleLine(rule.reason)} (${visibleLine(record.path)})`);
  if (finding.waiver) lines.push(visibleLine(waiverText(finding.waiver)));
  return lines.join('\n');
}

function annotationOf(told: Told): string {
  const { place } = told.finding;
  const properties: string[] = [];
  const path = place?.path ?? told.record?.path;
  // A path is a name to look up, so it stays as it is, escaped only for the command's grammar.
  if (path !== undefined) properties.push(`file=${escapeProperty(path)}`);
  if (place?.line) properties.push(`line=${place.line}`);
  if (place?.line && place.column) properties.push(`col=${place.column}`);
  properties.push(`title=${escapeProperty(visibleLine(titleOf(told)))}`);
  return `::${COMMANDS[told.severity]} ${properties.join(',')}::${escapeData(messageOf(told))}`;
}

/** Annotations for GitHub Actions, printed to a step's log, where they are taken up. */
export function formatGithub(report: AdrReport): string {
  const told = listTold(report);
  const lines = ORDER.flatMap((severity) =>
    told.filter((each) => each.severity === severity).map(annotationOf),
  );
  return [...lines, summaryText(report)].join('\n');
}
