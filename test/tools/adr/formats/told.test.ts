import { describe, expect, it } from 'vitest';
import type { AdrRuleResult } from '../../../../protocol/adr-report.ts';
import {
  counted,
  examinedText,
  listTold,
  placeText,
  proofText,
  ruleName,
  toldOfRule,
} from '../../../../tools/adr/formats/told.ts';
import { aFinding, aRecord, aReport, aRule, aViolatedRule } from '../../../support/adr-reports.ts';

const waiver = { owner: 'Anna', reason: 'later', expires: '2026-12-31' };
const weigh = (rule: AdrRuleResult) =>
  toldOfRule(aRecord(), rule).map(({ severity, finding }) => [severity, finding.message]);
const finding = (over: Parameters<typeof aFinding>[0] = {}) => aFinding({ message: 'x', ...over });

describe('a finding', () => {
  it.each([
    ['an error', aViolatedRule({ findings: [finding()] }), 'error'],
    ['advice', aViolatedRule({ level: 'advisory', findings: [finding()] }), 'advice'],
    ['unchecked', aViolatedRule({ findings: [finding({ uncertain: true })] }), 'unchecked'],
    ['unchecked', aRule({ state: 'could_not_check', findings: [finding()] }), 'unchecked'],
    ['waived', aRule({ findings: [finding({ waiver })] }), 'waived'],
    ['waived', aRule({ level: 'advisory', findings: [finding({ waiver })] }), 'waived'],
  ])('is %s', (_what, rule, severity) => {
    expect(weigh(rule)).toEqual([[severity, 'x']]);
  });

  it('weighs the same when it is about the record, or about the whole check', () => {
    const report = aReport({
      problems: [finding({ message: 'no git' })],
      records: [
        aRecord({
          problems: [finding({ message: 'no title' }), finding({ uncertain: true })],
          rules: [aViolatedRule({ findings: [finding({ message: 'rule' })] })],
        }),
      ],
    });
    expect(listTold(report).map(({ severity, finding: one }) => [severity, one.message])).toEqual([
      ['unchecked', 'no git'],
      ['error', 'no title'],
      ['unchecked', 'x'],
      ['error', 'rule'],
    ]);
  });
});

describe('a rule that failed without a finding', () => {
  it.each([
    ['violated', 'Nothing there.', 'error', 'Nothing there.'],
    ['violated', null, 'error', 'The rule is violated and names no place.'],
    [
      'could_not_check',
      null,
      'unchecked',
      'The rule could not be checked, and no reason is known.',
    ],
  ] as const)('is told all the same: %s with the note %s', (state, note, severity, words) => {
    expect(weigh(aRule({ state, note }))).toEqual([[severity, words]]);
  });

  it('is told beside what is waived, and not beside what stands', () => {
    const note = 'Broken as a whole.';
    const findings = [finding({ waiver })];
    expect(weigh(aViolatedRule({ note, findings }))).toEqual([
      ['waived', 'x'],
      ['error', note],
    ]);
    expect(weigh(aViolatedRule({ note, findings: [...findings, finding()] }))).toHaveLength(2);
  });

  it.each(['passed', 'skipped'] as const)('is silent when it is %s', (state) => {
    expect(weigh(aRule({ state, note: 'for your information' }))).toEqual([]);
  });
});

describe('the words of a report', () => {
  it.each([
    [null, null],
    [{ path: 'a.ts', line: null, column: 7 }, 'a.ts'],
    [{ path: 'a.ts', line: 3, column: null }, 'a.ts:3'],
    [{ path: 'a.ts', line: 3, column: 7 }, 'a.ts:3:7'],
  ])('of the place %j', (place, text) => {
    expect(placeText(aFinding({ place }))).toBe(text);
  });

  it.each([
    [undefined, null],
    [{ state: 'proven', fixtures: 1, caught: 1 }, 'proven by 1 fixture'],
    [{ state: 'failed', fixtures: 3, caught: 1 }, 'not proven: 1 of 3 fixtures caught'],
    [{ state: 'unproven', fixtures: 0, caught: 0 }, 'unproven: it has no fixture'],
    [
      { state: 'unproven', fixtures: 2, caught: 0 },
      'unproven: its 2 fixtures could not be tried without its command',
    ],
  ] as const)('of the proof %j', (proof, text) => {
    expect(proofText(aRule(proof && { proof }))).toBe(text);
  });

  it('of a number and of what was looked at', () => {
    expect([0, 1, 1500].map((count) => counted(count, 'record'))).toEqual([
      '0 records',
      '1 record',
      '1,500 records',
    ]);
    expect(examinedText(aRule({ examined: { count: 1, unit: 'files' } }))).toBe('1 file examined');
    expect(ruleName(aRecord({ id: '0002' }), aRule({ id: 'pool' }))).toBe('ADR-0002/pool');
  });
});
