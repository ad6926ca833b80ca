import fc from 'fast-check';
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import { type AdrReport } from '../../../../protocol/adr-report.ts';
import { formatSarif } from '../../../../tools/adr/formats/sarif.ts';
import { aFinding, aRecord, aReport, aViolatedRule } from '../../../support/adr-reports.ts';
import { HOSTILE, SAMPLES } from '../../../support/adr-report-samples.ts';
import { matchesSarif } from '../../../support/sarif-schema.ts';

const sarifOf = (report: AdrReport): Log => JSON.parse(formatSarif(report)) as Log;
const runOf = (report: AdrReport) => {
  const run = sarifOf(report).runs[0];
  if (!run) throw new Error('a log has one run');
  return run;
};
const withFindings = (...findings: ReturnType<typeof aFinding>[]) =>
  aReport({ records: [aRecord({ rules: [aViolatedRule({ findings })] })] });

describe('the schema of SARIF 2.1.0', () => {
  it.each(Object.entries(SAMPLES))('admits a report that is %s', (_, report) => {
    expect(matchesSarif(sarifOf(report))).toEqual([]);
  });
  it('admits any text and any path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, text) => {
        const place = { path, line: 1, column: 1 };
        const log = sarifOf(withFindings(aFinding({ place, message: text, excerpt: text })));
        expect(matchesSarif(log)).toEqual([]);
      }),
    );
  });
  it('refuses a log that lacks something, so that its yes means something', () => {
    const log = sarifOf(SAMPLES.violated);
    expect(matchesSarif({ ...log, version: '2.0.0' })).not.toEqual([]);
    expect(matchesSarif({ ...log, runs: [{ results: [] }] })).not.toEqual([]);
  });
});

describe('a result', () => {
  it('names its rule by id and by position', () => {
    const run = runOf(SAMPLES.violated);
    const rules = run.tool.driver.rules ?? [];
    expect(run.results?.length).toBeGreaterThan(3);
    for (const result of run.results ?? []) {
      expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
    }
  });
  it('that is waived is suppressed, with who and why', () => {
    const results = runOf(SAMPLES.violated).results ?? [];
    const suppressed = results.filter((each) => each.suppressions?.length);
    expect(suppressed.map((each) => each.suppressions)).toEqual([
      [
        {
          kind: 'external',
          status: 'accepted',
          justification: 'Waived until 2026-12-31 by Anna: moves with the new checkout',
        },
      ],
    ]);
    expect(results.filter((each) => each.suppressions?.length === 0)).toHaveLength(4);
  });
  it('names a file relative to the root, whatever its name holds', () => {
    const uri = runOf(SAMPLES.hostile).results?.[0]?.locations?.[0]?.physicalLocation
      ?.artifactLocation?.uri;
    expect(decodeURIComponent(uri ?? '')).toBe(HOSTILE.path);
    expect(new URL(uri ?? '', 'file:///tree/').pathname.startsWith('/tree/src/')).toBe(true);
  });
  it('without a place lies in the record that asks for it', () => {
    const result = runOf(withFindings(aFinding({ place: null }))).results?.[0];
    expect(result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe(
      'docs/adr/0001-one-pool-of-connections.md',
    );
  });
  it('of an advisory rule is a warning', () => {
    const results = runOf(SAMPLES.violated).results ?? [];
    expect(results.find((each) => each.ruleId === 'ADR-0001/no-sleep')?.level).toBe('warning');
  });
});

describe('a fingerprint', () => {
  const fingerprintOf = (report: AdrReport, index = 0) =>
    runOf(report).results?.[index]?.partialFingerprints?.['adrFinding/v1'];
  const at = (line: number) => aFinding({ place: { path: 'src/cart.ts', line, column: 1 } });

  it('stays when the line moves', () => {
    expect(fingerprintOf(withFindings(at(3)))).toBe(fingerprintOf(withFindings(at(80))));
  });
  it('tells two equal lines of a file apart', () => {
    const report = withFindings(at(3), at(4));
    expect(fingerprintOf(report, 0)).not.toBe(fingerprintOf(report, 1));
  });
  it('tells two files apart', () => {
    const other = aFinding({ place: { path: 'src/shop.ts', line: 3, column: 1 } });
    expect(fingerprintOf(withFindings(at(3)))).not.toBe(fingerprintOf(withFindings(other)));
  });
});

describe('the invocation', () => {
  it.each([
    ['clean', 0, true],
    ['violated', 1, true],
    ['unchecked', 2, false],
  ] as const)('of a report that is %s ends with %i', (name, exitCode, executionSuccessful) => {
    expect(runOf(SAMPLES[name]).invocations?.[0]).toMatchObject({ exitCode, executionSuccessful });
  });
  it('tells what nobody could look at, and of which rule', () => {
    const told = runOf(SAMPLES.unchecked).invocations?.[0]?.toolExecutionNotifications;
    expect(told?.map((each) => each.associatedRule?.id)).toEqual([
      'adr/check',
      'ADR-0001/pool-importers',
    ]);
  });
});
