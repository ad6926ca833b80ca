import {
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
} from '../../../protocol/adr-report.ts';
import {
  examinedText,
  placeText,
  proofText,
  type Told,
  toldOfCheck,
  toldOfRecord,
  toldOfRule,
  waiverText,
} from './told.ts';
import { element, writeXml, type XmlElement } from './xml.ts';

type Case = { node: XmlElement; outcome: 'passed' | 'failure' | 'error' | 'skipped' };

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const describe = ({ finding }: Told): string => {
  const place = placeText(finding);
  return [
    [place, finding.message].filter(Boolean).join(': '),
    ...(finding.excerpt === null ? [] : [`    ${finding.excerpt}`]),
    ...(finding.waiver ? [`    ${waiverText(finding.waiver)}`] : []),
  ].join('\n');
};

const failing = (told: readonly Told[]) =>
  told.filter((each) => each.severity === 'error' || each.severity === 'unchecked');

function verdict(name: 'failure' | 'error', told: readonly Told[], type: string): XmlElement {
  const message = told.length === 1 ? (told[0]?.finding.message ?? '') : `${told.length} findings`;
  return element(name, { message, type }, [told.map(describe).join('\n')]);
}

/** What is told and fails nothing: advice and waivers, beside the verdict. */
function output(told: readonly Told[], first: readonly string[]): XmlElement {
  const beside = told.filter((each) => each.severity === 'advice' || each.severity === 'waived');
  return element('system-out', {}, [[...first, ...beside.map(describe)].join('\n')]);
}

function caseOfRule(record: AdrRecordResult, rule: AdrRuleResult): Case {
  const told = toldOfRule(record, rule);
  const failed = failing(told);
  const children: XmlElement[] = [];
  let outcome: Case['outcome'] = 'passed';
  if (failed.length > 0) {
    outcome = rule.state === 'could_not_check' ? 'error' : 'failure';
    children.push(verdict(outcome, failed, rule.kind));
  } else if (rule.state === 'skipped') {
    outcome = 'skipped';
    children.push(element('skipped', { message: rule.note ?? 'not looked at in this mode' }));
  }
  const proof = proofText(rule);
  children.push(output(told, [examinedText(rule), ...(proof ? [proof] : []), rule.reason]));
  const attributes = {
    name: `${rule.id} (${rule.kind}, ${rule.level})`,
    classname: `ADR-${record.id}`,
    time: seconds(rule.durationMs),
  };
  return { node: element('testcase', attributes, children), outcome };
}

function caseOfRecord(record: AdrRecordResult): Case {
  const told = toldOfRecord(record);
  const failed = failing(told);
  const outcome = failed.some((each) => each.severity === 'error') ? 'failure' : 'error';
  const children = [
    ...(failed.length > 0 ? [verdict(outcome, failed, 'record')] : []),
    ...(told.length > failed.length ? [output(told, [])] : []),
  ];
  const attributes = { name: 'the record itself', classname: `ADR-${record.id}`, time: '0.000' };
  return {
    node: element('testcase', attributes, children),
    outcome: failed.length > 0 ? outcome : 'passed',
  };
}

function caseOfCheck(report: AdrReport): Case {
  const told = toldOfCheck(report);
  const attributes = { name: 'everything could be looked at', classname: 'ADR', time: '0.000' };
  const children = told.length > 0 ? [verdict('error', told, 'check')] : [];
  return {
    node: element('testcase', attributes, children),
    outcome: told.length > 0 ? 'error' : 'passed',
  };
}

function counts(cases: readonly Case[]) {
  const count = (outcome: Case['outcome']) => cases.filter((c) => c.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

/**
 * A report as JUnit XML, in the form that Jenkins, GitLab and their like read: a suite for each
 * record, a case for each rule and one for the record itself. Advice and waivers fail no case.
 */
export function formatJunit(report: AdrReport): string {
  const timestamp = new Date(report.startedAt).toISOString().replace(/\.\d+Z$/, '');
  const suites = [
    { name: 'the check', durationMs: 0, cases: [caseOfCheck(report)] },
    ...report.records.map((record) => ({
      name: `ADR-${record.id} ${record.title}`,
      durationMs: record.rules.reduce((sum, rule) => sum + rule.durationMs, 0),
      cases: [caseOfRecord(record), ...record.rules.map((rule) => caseOfRule(record, rule))],
    })),
  ];
  const root = element(
    'testsuites',
    {
      name: report.tool.name,
      ...counts(suites.flatMap((suite) => suite.cases)),
      time: seconds(report.durationMs),
    },
    suites.map(({ name, durationMs, cases }) =>
      element(
        'testsuite',
        { name, ...counts(cases), time: seconds(durationMs), timestamp },
        cases.map((each) => each.node),
      ),
    ),
  );
  return writeXml(root);
}
