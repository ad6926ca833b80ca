import type { ReportingDescriptor } from 'sarif';
import {
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
} from '../../../protocol/adr-report.ts';
import { examinedText, proofText, ruleName, type Told } from './told.ts';

const CHECK_RULE = 'adr/check';
const RECORD_RULE = 'adr/record';

/** The SARIF rule of a finding: its own, or one of the two that the tool itself brings. */
export function ruleIdOf({ record, rule }: Told): string {
  if (!record) return CHECK_RULE;
  return rule ? ruleName(record, rule) : RECORD_RULE;
}

const OWN_RULES: ReportingDescriptor[] = [
  {
    id: CHECK_RULE,
    name: 'DecisionRecordsCanBeChecked',
    shortDescription: { text: 'The decision records can be read and the tree can be checked.' },
    help: { text: 'Nothing is known about the decisions until the check can look at all of them.' },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: RECORD_RULE,
    name: 'DecisionRecordIsSound',
    shortDescription: {
      text: 'A decision record keeps its form, number and links, and its decided text.',
    },
    help: {
      text: 'A decision that no longer holds is superseded by a new record: pilothouse adr supersede.',
    },
    defaultConfiguration: { level: 'error' },
  },
];

function descriptorOf(record: AdrRecordResult, rule: AdrRuleResult): ReportingDescriptor {
  const help = [
    `Decision ${record.id}, "${record.title}" (${record.path}), asks for this: ${rule.reason}`,
    'Change the code. If the decision itself no longer holds, supersede the record. To buy time, add a waiver with owner, reason and expiry to the record.',
  ];
  return {
    id: ruleName(record, rule),
    shortDescription: { text: rule.reason },
    fullDescription: { text: `${rule.kind}, ${rule.level}: ${rule.reason}` },
    help: { text: help.join('\n\n') },
    defaultConfiguration: { level: rule.level === 'enforced' ? 'error' : 'warning' },
    properties: {
      tags: [...new Set(['decision', rule.kind, rule.level])],
      state: rule.state,
      examined: examinedText(rule),
      note: rule.note,
      ...(rule.proof && { proof: { ...rule.proof, words: proofText(rule) } }),
      durationMs: rule.durationMs,
    },
  };
}

/** Every rule of the report, the ones that passed included: SARIF's way to say what was checked. */
export const sarifRules = (report: AdrReport): ReportingDescriptor[] => [
  ...OWN_RULES,
  ...report.records.flatMap((record) => record.rules.map((rule) => descriptorOf(record, rule))),
];
