import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideExitCode } from '../../../../tools/adr/check/exit-code.ts';
import { applyWaivers, tellLongWaivers } from '../../../../tools/adr/check/waivers.ts';
import { found, undecided } from '../../../../tools/adr/finding.ts';
import type { Waiver } from '../../../../tools/adr/records/record.ts';
import { aRule, aViolatedRule } from '../../../support/adr-reports.ts';

const TODAY = '2026-11-29';
const RECORD = 'docs/adr/0002-pool.md';
const waiver = (over: Partial<Waiver> = {}): Waiver => ({
  rule: 'pool',
  path: 'src/old/**',
  owner: 'Anna',
  reason: 'moves with the new checkout',
  expires: '2026-12-31',
  line: 9,
  ...over,
});
const at = (path: string) => found({ path, line: 3 }, `${path} imports the pool.`);
const judge = (paths: readonly string[], waivers: readonly Waiver[], complete = true) =>
  applyWaivers(paths.map(at), waivers, RECORD, TODAY, complete).map((one) => ({
    path: one.place?.path,
    waived: one.waiver?.owner ?? null,
    message: one.message,
  }));

describe('a waiver', () => {
  it('lets what its glob covers stand, on its owner’s word, and nothing else', () => {
    expect(judge(['src/old/a.ts', 'src/old/deep/b.ts', 'src/new.ts'], [waiver()])).toMatchObject([
      { path: 'src/old/a.ts', waived: 'Anna' },
      { path: 'src/old/deep/b.ts', waived: 'Anna' },
      { path: 'src/new.ts', waived: null },
    ]);
  });

  it('is in the finding without the line on which it stands', () => {
    const [finding] = applyWaivers([at('src/old/a.ts')], [waiver()], RECORD, TODAY, true);
    const { owner, reason, expires } = waiver();
    expect(finding?.waiver).toEqual({ owner, reason, expires });
  });

  it('holds for its last day and not for the next', () => {
    const onDay = (expires: string) => judge(['src/old/a.ts'], [waiver({ expires })]);
    expect(onDay(TODAY)).toMatchObject([{ waived: 'Anna' }]);
    expect(onDay('2026-11-28')).toMatchObject([
      { path: 'src/old/a.ts', waived: null },
      { path: RECORD, waived: null, message: expect.stringContaining('ended on 2026-11-28') },
    ]);
  });

  it('that nothing needs is to be taken out, where the rule looked at all', () => {
    expect(judge([], [waiver()])).toMatchObject([
      { path: RECORD, message: expect.stringContaining('waives nothing') },
    ]);
    expect(judge([], [waiver()], false)).toEqual([]);
  });

  it('that nothing needs and is over is told as useless, not as over', () => {
    const [told, ...more] = judge([], [waiver({ expires: '2025-01-01' })]);
    expect(told?.message).toContain('waives nothing');
    expect(more).toEqual([]);
  });

  it('covers nothing that has no place', () => {
    const findings = [undecided(null, 'Nothing is known.')];
    expect(applyWaivers(findings, [waiver({ path: '**' })], RECORD, TODAY, false)).toEqual(
      findings,
    );
  });

  it('never takes a finding away, whatever stands in a record', () => {
    const path = fc.constantFrom('src/a.ts', 'src/old/a.ts', 'lib/b.ts');
    const row = fc
      .record({
        path: fc.constantFrom('src/**', 'src/old/a.ts', 'lib/', 'none/*'),
        expires: fc.constantFrom('2020-01-01', TODAY, '2030-01-01'),
      })
      .map(waiver);
    fc.assert(
      fc.property(fc.array(path), fc.array(row), fc.boolean(), (paths, rows, complete) => {
        const judged = judge(paths, rows, complete);
        expect(judged.slice(0, paths.length).map((one) => one.path)).toEqual(paths);
        expect(judged.slice(paths.length).every((one) => one.path === RECORD)).toBe(true);
      }),
    );
  });
});

describe('waivers that nobody will remember', () => {
  it('are those of more than a year, each with its owner and its day', () => {
    const long = waiver({ expires: '2028-01-01', owner: 'Ben', path: 'lib/x.ts' });
    expect(tellLongWaivers([waiver(), long], TODAY)).toBe(
      "Waived for more than a year: Ben's for lib/x.ts (until 2028-01-01).",
    );
  });

  it('are none where each ends within a year and a day', () => {
    expect(tellLongWaivers([waiver({ expires: '2027-11-30' })], TODAY)).toBeNull();
    expect(tellLongWaivers([waiver({ expires: '2027-12-01' })], TODAY)).not.toBeNull();
    expect(tellLongWaivers([], TODAY)).toBeNull();
  });
});

describe('the exit code of a check', () => {
  const looked = (...rules: ReturnType<typeof aRule>[]) => [{ problems: [], rules }];
  const known = found({ path: RECORD }, 'It has no title.');
  const unknown = undecided({ path: RECORD }, 'Its front matter cannot be read.');
  const open = aRule({ state: 'could_not_check' });
  it.each([
    ['nothing is wrong', looked(aRule()), [], 0],
    ['there is no record at all', [], [], 0],
    ['a rule was skipped', looked(aRule({ state: 'skipped' })), [], 0],
    ['a rule is violated', looked(aViolatedRule()), [], 1],
    ['one is violated and another open', looked(open, aViolatedRule()), [], 1],
    ['advice is not followed', looked(aViolatedRule({ level: 'advisory' })), [], 0],
    ['advice could not be looked at', looked({ ...open, level: 'advisory' }), [], 0],
    ['a rule could not be looked at', looked(open), [], 2],
    ['a record is broken', [{ problems: [known], rules: [] }], [], 1],
    ['a record cannot be read', [{ problems: [unknown], rules: [] }], [], 2],
    ['the records are broken as a whole', looked(aRule()), [known], 1],
    ['the check could not look', looked(aViolatedRule()), [unknown], 2],
  ] as const)('where %s', (_what, records, problems, code) => {
    expect(decideExitCode(records, problems)).toBe(code);
  });
});
