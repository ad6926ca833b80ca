import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdrRuleState } from '../../protocol/adr-report.ts';
import { adrReport } from '../../protocol/adr-report.ts';
import {
  countReport,
  orderBranches,
  unitOf,
  verdictOfRecord,
  verdictOfRule,
} from '../../protocol/decision-results.ts';
import { repositoryName } from '../../protocol/decisions.ts';
import { aFinding, aRecord, aReport, aRule } from '../support/adr-reports.ts';

const WAIVER = { owner: 'harbour', reason: 'until the dock is built', expires: '2027-01-01' };
const recordOf = (...states: AdrRuleState[]) =>
  aRecord({ rules: states.map((state) => aRule({ state })) });

describe('the verdict on a rule', () => {
  it('is a pass only over something', () => {
    expect(verdictOfRule(aRule())).toBe('passed');
    expect(verdictOfRule(aRule({ examined: { count: 0, unit: 'files' } }))).toBe('empty');
  });
  it('of an advice that was not followed is no violation', () => {
    expect(verdictOfRule(aRule({ state: 'violated', level: 'advisory' }))).toBe('noted');
    expect(verdictOfRule(aRule({ state: 'violated' }))).toBe('violated');
  });
  it.each(['could_not_check', 'skipped'] as const)('keeps %s as what it is', (state) => {
    expect(verdictOfRule(aRule({ state }))).toBe(state);
  });
});

it.each([
  [0, 'files', 'files'],
  [1, 'files', 'file'],
  [1, 'files in layers', 'file in layers'],
  [1, 'declared dependencies', 'declared dependency'],
  [2, 'commands', 'commands'],
])('what was looked at is named as its number asks: %i %s', (count, unit, named) => {
  expect(unitOf({ count, unit })).toBe(named);
});

describe('the verdict on a record', () => {
  it('is that its own form is wrong, whatever its rules say', () => {
    expect(verdictOfRecord(aRecord({ problems: [aFinding()] }))).toBe('violated');
    expect(verdictOfRecord(aRecord({ problems: [aFinding({ waiver: WAIVER })] }))).toBe('passed');
  });
  it('is that nobody knows when it could not be read, unless something is known to be wrong', () => {
    const unread = aFinding({ uncertain: true });
    expect(verdictOfRecord(aRecord({ problems: [unread] }))).toBe('could_not_check');
    expect(verdictOfRecord(aRecord({ problems: [unread], rules: [] }))).toBe('could_not_check');
    expect(verdictOfRecord(aRecord({ problems: [unread, aFinding()] }))).toBe('violated');
  });
  it('is that nothing enforces it when all it has is advice', () => {
    const rules = [aRule({ level: 'advisory', state: 'violated' })];
    expect(verdictOfRecord(aRecord({ rules }))).toBe('unenforced');
    expect(verdictOfRecord(aRecord({ rules: [] }))).toBe('unenforced');
  });
  it('is skipped when every rule was left out', () => {
    expect(verdictOfRecord(recordOf('skipped', 'skipped'))).toBe('skipped');
    expect(verdictOfRecord(recordOf('skipped', 'passed'))).toBe('passed');
  });
  it('is never a pass beside a rule that failed or could not be checked', () => {
    const state = fc.constantFrom<AdrRuleState>('passed', 'violated', 'could_not_check', 'skipped');
    fc.assert(
      fc.property(fc.array(state, { minLength: 1 }), (states) => {
        const worst = (['violated', 'could_not_check', 'passed', 'skipped'] as const).find((one) =>
          states.includes(one),
        );
        expect(verdictOfRecord(recordOf(...states))).toBe(worst);
      }),
    );
  });
});

describe('the figures of a report', () => {
  it('are apart for what fails, what is waived and what is only told', () => {
    const findings = [aFinding(), aFinding(), aFinding({ waiver: WAIVER })];
    const report = aReport({
      problems: [aFinding()],
      records: [
        aRecord({ rules: [aRule({ state: 'violated', findings })] }),
        aRecord({ rules: [aRule({ level: 'advisory', state: 'violated', findings })] }),
        recordOf('could_not_check'),
      ],
    });
    expect(countReport(adrReport.parse(report))).toEqual({
      records: 3,
      violated: 1,
      couldNotCheck: 1,
      findings: 3,
      waived: 2,
    });
  });
});

describe('the order of branches', () => {
  const branch = (name: string, startedAt: number) => ({
    branch: name,
    latest: { startedAt, reportId: `drp_${name}` },
  });
  it('begins with the main branch, then goes by time', () => {
    const names = orderBranches([branch('x', 3), branch('master', 1), branch('y', 4)]);
    expect(names.map((one) => one.branch)).toEqual(['master', 'y', 'x']);
  });
  it('takes the likeliest name for the main branch, and only that', () => {
    const names = orderBranches([branch('develop', 3), branch('x', 2), branch('main', 1)]);
    expect(names.map((one) => one.branch)).toEqual(['main', 'develop', 'x']);
  });
  it('does not depend on the order that they came in', () => {
    const made = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1 });
    fc.assert(
      fc.property(made, fc.array(fc.nat(5)), (names, times) => {
        const branches = names.map((name, index) => branch(name, times[index] ?? 0));
        expect(orderBranches(branches.toReversed())).toEqual(orderBranches(branches));
      }),
    );
  });
});

describe('the name of a repository', () => {
  it('stays one path of an address, whatever it is', () => {
    const segment = fc.constantFrom('a', '..', '.', 'a.b', '-', '_', '', 'x y', '%2e');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (parts) => {
        const name = parts.join('/');
        if (!repositoryName.safeParse(name).success) return;
        const path = new URL(`/decisions/${name}`, 'http://pilothouse.test').pathname;
        expect(path).toBe(`/decisions/${name}`);
      }),
    );
  });
});
