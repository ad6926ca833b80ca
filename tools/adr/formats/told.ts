import {
  type AdrFinding,
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
  type AdrWaiver,
} from '../../../protocol/adr-report.ts';
import { unitOf } from '../../../protocol/decision-results.ts';

/**
 * What a finding means for the build. `error`: it fails. `unchecked`: nobody knows, which fails
 * too. `advice`: told only. `waived`: let stand until a day on somebody's word.
 */
export type Severity = 'error' | 'unchecked' | 'advice' | 'waived';

export type Told = {
  severity: Severity;
  /** Null where the check as a whole is meant. */
  record: AdrRecordResult | null;
  /** Null where the record itself is meant. */
  rule: AdrRuleResult | null;
  finding: AdrFinding;
};

/** The name of a rule outside of its record: `ADR-0002/tmux-importers`. */
export const ruleName = (record: AdrRecordResult, rule: AdrRuleResult): string =>
  `ADR-${record.id}/${rule.id}`;

/** How a finding of a record, or of one of its rules, weighs. */
function severityOf({ waiver, uncertain }: AdrFinding, rule?: AdrRuleResult): Severity {
  if (waiver) return 'waived';
  if (rule?.level === 'advisory') return 'advice';
  return uncertain || rule?.state === 'could_not_check' ? 'unchecked' : 'error';
}

/**
 * The findings of a rule. A rule that failed as a whole, because it examined nothing or could not
 * begin, names no place: its note is then the finding, so that no format shows a failure without
 * a word.
 */
export function toldOfRule(record: AdrRecordResult, rule: AdrRuleResult): Told[] {
  const told: Told[] = rule.findings.map((finding) => ({
    severity: severityOf(finding, rule),
    record,
    rule,
    finding,
  }));
  const failed = rule.state === 'violated' || rule.state === 'could_not_check';
  if (!failed || told.some((each) => each.severity !== 'waived')) return told;
  const message =
    rule.note ??
    (rule.state === 'violated'
      ? 'The rule is violated and names no place.'
      : 'The rule could not be checked, and no reason is known.');
  const finding = { place: null, message, excerpt: null, waiver: null };
  return [...told, { severity: severityOf(finding, rule), record, rule, finding }];
}

/** What is wrong with a record itself. */
export function toldOfRecord(record: AdrRecordResult): Told[] {
  return record.problems.map((finding) => ({
    severity: severityOf(finding),
    record,
    rule: null,
    finding,
  }));
}

/** What kept the check from looking at all. */
export function toldOfCheck(report: AdrReport): Told[] {
  return report.problems.map((finding) => ({
    severity: 'unchecked',
    record: null,
    rule: null,
    finding,
  }));
}

/** Everything that a report tells, in its order: the check, then each record and its rules. */
export function listTold(report: AdrReport): Told[] {
  return [
    ...toldOfCheck(report),
    ...report.records.flatMap((record) => [
      ...toldOfRecord(record),
      ...record.rules.flatMap((rule) => toldOfRule(record, rule)),
    ]),
  ];
}

/** `runner/main.ts:3:7`, with what is known of it. */
export function placeText({ place }: AdrFinding): string | null {
  if (!place) return null;
  return [place.path, place.line, place.line === null ? null : place.column]
    .filter((part) => part !== null)
    .join(':');
}

/** What lets a finding stand, until when, and on whose word: the same in every format. */
export const waiverText = ({ owner, reason, expires }: AdrWaiver): string =>
  `Waived until ${expires} by ${owner}: ${reason}`;

/** What trying a rule's fixtures showed; null where they were not tried. */
export function proofText({ proof }: AdrRuleResult): string | null {
  if (!proof) return null;
  const fixtures = counted(proof.fixtures, 'fixture');
  if (proof.state === 'proven') return `proven by ${fixtures}`;
  if (proof.state === 'failed') return `not proven: ${proof.caught} of ${fixtures} caught`;
  return proof.fixtures === 0
    ? 'unproven: it has no fixture'
    : `unproven: its ${fixtures} could not be tried without its command`;
}

/** `1 record`, `3 records`. */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** `412 files`, the size of what a rule looked at. */
export const examinedText = ({ examined }: AdrRuleResult): string =>
  `${examined.count.toLocaleString('en')} ${unitOf(examined)} examined`;
