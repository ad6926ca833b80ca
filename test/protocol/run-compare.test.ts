import { describe, expect, it } from 'vitest';
import {
  compareQuery,
  compareRuns,
  runComparison,
  sayChanged,
} from '../../protocol/run-compare.ts';
import type { RunReport } from '../../protocol/run-report.ts';
import { sessionId } from '../../protocol/ids.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import { turnEnded, usageRecorded, working } from '../support/feed-events.ts';
import { aUsage, TURN } from '../support/protocol-builders.ts';
import { reportOf, wholeRun } from '../support/run-builders.ts';

/** A run of one turn that used this; its id ends in `name`. */
function run(name: string, usage: Partial<UsageEntry> | null, over: Partial<RunReport> = {}) {
  const used = usage ? [usageRecorded(TURN, [aUsage(usage)])] : [];
  const report = reportOf([...working(), ...used, turnEnded()]);
  return { ...report, sessionId: sessionId.parse(`ses_${name}`), ...over };
}
const conclude = (...runs: RunReport[]) => compareRuns(runs).conclusions;

describe('runs beside each other', () => {
  it('have the form of the API, with their cadence and acts', () => {
    const compared = compareRuns([reportOf(wholeRun()), run('aaaaaa', {})]);
    expect(runComparison.parse(compared)).toEqual(compared);
    expect(compared.objective).toBe('Fix the test');
    expect(compared.sides[0]).toMatchObject({
      mode: 'manual',
      turns: 2,
      turnsByPilot: 1,
      medianTurnMs: 4_000,
      acts: { push: 1 },
      cost: { comparable: true, kind: 'paid', microUsd: 3120 },
    });
  });

  it('are concluded about where what they cost is known', () => {
    expect(conclude(run('aaaaaa', { microUsd: 100 }), run('bbbbbb', { microUsd: 400 }))).toEqual([
      'All are done.',
      'Cheapest: claude …aaaaaa, at 25 % of the next.',
    ]);
  });

  it.each<[string, Partial<UsageEntry> | null, RegExp]>([
    ['unmetered', { provenance: 'unmetered', microUsd: null }, /unmetered: what it cost cannot/],
    ['unsettled', { provenance: 'unsettled' }, /without a final figure/],
    ['without a price', { microUsd: null }, /no known price/],
    ['a rehearsal', { provenance: 'rehearsal' }, /rehearsal/],
    ['without any usage', null, /no usage/],
  ])('keep a side that is %s out of the cost, and say so', (_, usage, why) => {
    const found = conclude(run('aaaaaa', usage), run('bbbbbb', { microUsd: 400 }));
    expect(found.join('\n')).not.toContain('Cheapest');
    const left = found.find((sentence) => sentence.startsWith('claude …aaaaaa is left out'));
    expect(left).toMatch(why);
  });

  it('hold paid and notional dollars apart', () => {
    const found = conclude(
      run('aaaaaa', { payer: 'subscription', microUsd: 1 }),
      run('bbbbbb', { microUsd: 400 }),
      run('cccccc', { provenance: 'estimated', microUsd: 500 }),
    );
    expect(found).toContain('Cheapest: claude …bbbbbb, at 80 % of the next.');
    expect(found).toContain(
      'What claude …cccccc cost is an estimate at list prices, at least in part.',
    );
    expect(found).toContain(
      'Money that was paid and list prices of a subscription are not held against each other.',
    );
  });

  it('are not concluded about by one that is not done, however cheap', () => {
    const failed = run('aaaaaa', { microUsd: 1 }, { standing: 'failed' });
    const done = [run('bbbbbb', { microUsd: 400 }), run('cccccc', { microUsd: 800 })];
    expect(conclude(failed, ...done).slice(0, 2)).toEqual([
      'Done: claude …bbbbbb, claude …cccccc. Cost and time are concluded from these alone.',
      'Cheapest: claude …bbbbbb, at 50 % of the next.',
    ]);
    expect(conclude(failed, { ...failed })).toEqual([
      'None is done: no conclusion about the better one is drawn.',
    ]);
  });

  it('on different objectives are said to be unlike', () => {
    const compared = compareRuns([run('aaaaaa', {}), run('bbbbbb', {}, { objective: 'Other' })]);
    expect(compared.objective).toBeNull();
    expect(compared.conclusions[0]).toMatch(/different objectives/);
  });

  it('tell changes that no engine told of as git has them', () => {
    const { sides } = compareRuns([run('aaaaaa', {}, { uncommittedFiles: 2 }), run('bbbbbb', {})]);
    expect(sides.map((side) => sayChanged(side))).toEqual([
      '0 files told, 0 commits, 2 files in none',
      '0 files told, 0 commits, 0 files in none',
    ]);
  });

  it('name the quickest of those that are done', () => {
    const quick = run('aaaaaa', {}, { workedMs: 10 });
    expect(conclude(quick, run('bbbbbb', {}))).toContain('Quickest at work: claude …aaaaaa.');
  });

  it.each(['ses_a', 'ses_a,ses_a', 'ses_a,x', '', Array(9).fill('ses_a').join(',')])(
    'are not asked for as %j',
    (sessions) => expect(compareQuery.safeParse({ sessions }).success).toBe(false),
  );
});
