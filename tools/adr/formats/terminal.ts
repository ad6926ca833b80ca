import { styleText } from 'node:util';
import {
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
  type AdrRuleState,
} from '../../../protocol/adr-report.ts';
import { summaryText } from './summary.ts';
import {
  counted,
  examinedText,
  placeText,
  proofText,
  type Told,
  toldOfCheck,
  toldOfRecord,
  toldOfRule,
  waiverText,
} from './told.ts';
import { visibleLine, visibleLines, wrapText } from './visible.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
type Page = { paint: (style: Style, text: string) => string; width: number };

const MARKS = {
  passed: { mark: '✓', style: 'green' },
  violated: { mark: '✗', style: 'red' },
  could_not_check: { mark: '?', style: 'red' },
  skipped: { mark: '-', style: 'dim' },
} as const satisfies Record<AdrRuleState, { mark: string; style: Style }>;

const ADVICE = { mark: '!', style: 'yellow' } as const;
const EXCERPT_MAX_LINES = 5;

const indented = (lines: readonly string[], by: number): string[] =>
  lines.map((line) => `${' '.repeat(by)}${line}`);

function excerptLines(page: Page, excerpt: string): string[] {
  const lines = visibleLines(excerpt);
  const shown = lines.slice(0, EXCERPT_MAX_LINES);
  if (lines.length > shown.length)
    shown.push(`… ${counted(lines.length - shown.length, 'more line')}`);
  return indented(shown, 6).map((line) => page.paint('dim', line));
}

/** Place, sentence, excerpt; the place stands alone on its line, so that terminals link it. */
function findingLines(page: Page, { finding }: Told): string[] {
  const place = placeText(finding);
  return [
    ...(place === null ? [] : [`    ${page.paint('bold', visibleLine(place))}`]),
    ...indented(wrapText(finding.message, page.width - 6), 6),
    ...(finding.excerpt === null ? [] : excerptLines(page, finding.excerpt)),
  ];
}

function waivedLines(page: Page, told: readonly Told[]): string[] {
  return told.flatMap((each) => {
    const { waiver } = each.finding;
    if (!waiver) return [];
    const lines = indented(wrapText(waiverText(waiver), page.width - 4), 4);
    return [...lines.map((line) => page.paint('yellow', line)), ...findingLines(page, each)];
  });
}

function ruleLines(page: Page, record: AdrRecordResult, rule: AdrRuleResult): string[] {
  const told = toldOfRule(record, rule);
  const standing = told.filter((each) => each.severity !== 'waived');
  const failed = rule.state === 'violated' || rule.state === 'could_not_check';
  const { mark, style } = failed && rule.level === 'advisory' ? ADVICE : MARKS[rule.state];
  const title = [
    rule.id,
    `${rule.kind}, ${rule.level}`,
    examinedText(rule),
    ...(rule.proof ? [proofText(rule) ?? ''] : []),
  ].map(visibleLine);
  const repeated = standing.some((each) => each.finding.message === rule.note);
  const note = repeated ? null : rule.note;
  return [
    `  ${page.paint(style, mark)} ${title.join('  ')}`,
    ...(note === null ? [] : indented(wrapText(note, page.width - 4), 4)),
    ...(standing.length > 0 ? indented(wrapText(`Why: ${rule.reason}`, page.width - 4), 4) : []),
    ...standing.flatMap((each) => findingLines(page, each)),
    ...waivedLines(page, told),
  ];
}

function recordLines(page: Page, record: AdrRecordResult): string[] {
  const problems = toldOfRecord(record);
  const standing = problems.filter((each) => each.severity !== 'waived');
  const isBroken = standing.some((each) => each.severity === 'error');
  const { mark, style } = MARKS[isBroken ? 'violated' : 'could_not_check'];
  return [
    page.paint('bold', visibleLine(`ADR-${record.id}  ${record.title}`)),
    page.paint('dim', visibleLine(`  ${record.status}  ${record.path}`)),
    ...(standing.length > 0 ? [`  ${page.paint(style, mark)} the record itself`] : []),
    ...standing.flatMap((each) => findingLines(page, each)),
    ...waivedLines(page, problems),
    ...record.rules.flatMap((rule) => ruleLines(page, record, rule)),
  ];
}

function nextLines(page: Page, report: AdrReport): string[] {
  switch (report.exitCode) {
    case 0:
      return [];
    case 1:
      return wrapText(
        'Next: change the code at each place. If a decision no longer holds, supersede its record (pilothouse adr supersede); to buy time, add a waiver with owner, reason and expiry to it.',
        page.width,
      );
    case 2:
      return wrapText(
        'Next: make what could not be checked readable, then check again. Until then nothing is known about it; it does not count as clean.',
        page.width,
      );
    default:
      return report.exitCode satisfies never;
  }
}

/** A report for a person. `width` is in columns. */
export function formatTerminal(report: AdrReport, look: { color: boolean; width: number }): string {
  const page: Page = {
    paint: (style, text) => (look.color ? styleText(style, text, { validateStream: false }) : text),
    width: Math.max(look.width, 40),
  };
  const told = toldOfCheck(report);
  const speaking = report.records.filter(
    (record) => record.rules.length > 0 || record.problems.length > 0,
  );
  const silent = report.records.length - speaking.length;
  const style = report.exitCode === 0 ? 'green' : 'red';
  const parts = [
    ...(told.length > 0
      ? [[page.paint('red', 'The check itself'), ...told.flatMap((t) => findingLines(page, t))]]
      : []),
    ...speaking.map((record) => recordLines(page, record)),
    ...(silent > 0
      ? [[page.paint('dim', `${counted(silent, 'record')} without a rule: nothing enforces them.`)]]
      : []),
    [...nextLines(page, report), page.paint(style, summaryText(report))],
  ];
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}
