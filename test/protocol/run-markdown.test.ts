import { describe, expect, it } from 'vitest';
import { writeComment, writeReport } from '../../protocol/run-markdown.ts';
import { type RunAct, type RunReport, runReport, type RunTurn } from '../../protocol/run-report.ts';
import { STANDINGS } from '../../protocol/run-standing.ts';
import { actSeen, turnEnded, working } from '../support/feed-events.ts';
import { LOCAL_ACTOR, PILOT_ACTOR } from '../../protocol/ids.ts';
import { TURN } from '../support/protocol-builders.ts';
import { BEGAN, EVIDENCE, reportOf, wholeRun } from '../support/run-builders.ts';

const [seen] = reportOf([...working(), actSeen(), turnEnded()]).acts as [RunAct];
const [turned] = reportOf([...working(), turnEnded()]).turns as [RunTurn];
const withAct = (over: Partial<RunAct>): RunReport => ({
  ...reportOf(wholeRun()),
  acts: [{ ...seen, ...over }],
});
const withTurn = (over: Partial<RunTurn>): RunReport => ({
  ...reportOf(wholeRun()),
  turns: [{ ...turned, ...over }],
});
/** The cells of the first row below the head of a section's table. */
function rowOf(report: RunReport, section: string): string[] {
  const [, body = ''] = writeReport(runReport.parse(report)).split(`## ${section}\n\n`);
  const [, , row = ''] = body.split('\n');
  return row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
}

describe('the standing of a run', () => {
  it('has words of its own for each', () => {
    const report = reportOf(wholeRun());
    const words = STANDINGS.map(
      (standing) => /^\*\*(.+?)\.\*\*/.exec(writeComment({ ...report, standing }))?.[1],
    );
    expect(words).not.toContain(undefined);
    expect(new Set(words).size).toBe(STANDINGS.length);
  });
});

describe('an act in a report', () => {
  const outcome = (over: Partial<RunAct>) => rowOf(withAct(over), 'Acts')[3];
  const witnesses = (over: Partial<RunAct>) => rowOf(withAct(over), 'Acts')[5];
  const by = (over: Partial<RunAct>) => rowOf(withAct(over), 'Acts')[4];

  it('says whose instruction it was, and for whom', () => {
    expect(by({})).toBe('a person');
    expect(by({ by: { actorId: PILOT_ACTOR, behalfOf: LOCAL_ACTOR } })).toBe(
      'the Pilot for a person',
    );
  });

  it.each<[Partial<RunAct>, string]>([
    [{ outcome: null }, 'under way'],
    [{ outcome: 'not_done' }, 'not done'],
    [
      { outcome: 'not_done', reason: 'Not to main.', decidedBy: 'policy' },
      'not done (policy: Not to main.)',
    ],
    [{ outcome: 'unknown', reason: 'It died.' }, 'unknown (engine: It died.)'],
  ])('that is %o came to “%s”', (over, words) => {
    expect(outcome(over)).toBe(words);
  });

  it.each<[Partial<RunAct>, string]>([
    [{ seenBy: ['stream'] }, 'stream'],
    [{ seenBy: ['stream', 'git'] }, 'stream and refs'],
    [{ seenBy: ['git'], difference: 'not in the stream' }, 'refs, **not in the stream**'],
    [{ seenBy: ['gate'], uncertain: true }, 'gate, not certain'],
  ])('that is %o was seen by “%s”', (over, words) => {
    expect(witnesses(over)).toBe(words);
  });

  it('has its time in UTC, its kind in words, and no target where there is none', () => {
    const row = rowOf(
      withAct({ at: BEGAN, kind: 'merge', target: null, command: 'gh pr merge' }),
      'Acts',
    );
    expect(row.slice(0, 2)).toEqual(['2026-11-30 09:00', 'merge']);
    expect(row.at(-1)).toBe('`gh pr merge`');
  });
});

describe('a turn in a report', () => {
  it.each([
    ['recorded', 3, '3'],
    ['none', 0, '0'],
    ['unobservable', 2, '2 witnessed, none told'],
    ['unsettled', 2, '2 known'],
    [null, 1, '1 known'],
  ] as const)(
    'whose acts are %s has a number alone only where it is all: %s',
    (observed, acts, words) => {
      expect(rowOf(withTurn({ actsObserved: observed, acts }), 'Turns').at(-1)).toBe(words);
    },
  );

  it.each([
    [{ outcome: null, startedAt: null, endedAt: null }, 'not begun', ''],
    [{ outcome: null, startedAt: BEGAN, endedAt: null }, 'under way', ''],
    [{ outcome: 'failed', reason: 'It broke.' }, 'failed: It broke.', '2.0 s'],
    [{ startedAt: BEGAN + 9_000, endedAt: BEGAN }, 'ok', '0.0 s'],
  ] as const)('that is %o is “%s” and took “%s”', (over, words, time) => {
    const row = rowOf(withTurn({ startedAt: BEGAN, endedAt: BEGAN + 2_000, ...over }), 'Turns');
    expect(row.slice(3, 5)).toEqual([words, time]);
  });

  it('says whose it was', () => {
    const asked = (['person', 'pilot', 'engine', 'terminal'] as const).map(
      (askedBy) => rowOf(withTurn({ askedBy }), 'Turns')[1],
    );
    expect(asked).toEqual(['a person', 'the Pilot', 'the engine itself', 'by hand']);
  });

  it('that there is none of is said in a word', () => {
    expect(writeReport({ ...reportOf(wholeRun()), turns: [] })).toContain('## Turns\n\nNone.');
  });
});

describe('the files in a report', () => {
  const file = (index: number) =>
    ({ path: `src/f${index}.ts`, change: 'edited', additions: 1, deletions: 0 }) as const;
  const some = (count: number) => ({
    ...reportOf(wholeRun()),
    uncommittedFiles: 0,
    files: Array.from({ length: count }, (_, index) => file(index)),
  });

  it('are listed up to fifty, and then counted', () => {
    expect(writeReport(some(50))).not.toContain('more');
    const text = writeReport(some(53));
    expect(text).toContain('- `src/f49.ts` edited, +1 −0\n- and 3 more');
    expect(text).not.toContain('src/f50.ts');
  });

  it('that are in no commit are said beside them, or alone', () => {
    expect(writeReport({ ...some(1), uncommittedFiles: 2 })).toContain('2 in no commit yet.');
    expect(writeReport({ ...some(0), uncommittedFiles: 2 })).toContain(
      'None by the engine’s own tools.\n\n2 in no commit yet.',
    );
    expect(writeReport(some(0))).not.toContain('no commit yet');
  });
});

describe('the Pilot in a report', () => {
  const pilot: NonNullable<RunReport['pilot']> = {
    mode: 'co_pilot',
    brain: 'checklist',
    status: 'waiting_person',
    reason: 'It asks.',
    turns: 2,
    maxTurns: 30,
    evidence: [],
  };
  const told = (over: Partial<typeof pilot> = {}) =>
    writeReport({ ...reportOf(wholeRun()), pilot: { ...pilot, ...over } });

  it('says where it stands, and lists no checks where none were run', () => {
    expect(told()).toContain('co-pilot, brain: checklist. waiting person: It asks. 2 of 30 turns.');
    expect(told()).not.toContain('Checks that the runner ran');
  });

  it('tells each check with how it ended', () => {
    const killed = { ...EVIDENCE, title: 'Lint', passed: false, exitCode: null };
    const text = told({ evidence: [EVIDENCE, killed] });
    expect(text).toContain('- passed (exit 0): Tests pass, `npm test`');
    expect(text).toContain('- failed (exit none): Lint, `npm test`');
  });
});

describe('the facts of a run', () => {
  it('leave out what there is none of, and call a rehearsal one', () => {
    const report = reportOf([...working(), turnEnded(TURN)]);
    const rehearsed = { ...report, engine: { ...report.engine, rehearsal: true } };
    const text = writeReport({ ...rehearsed, directory: null, budgetMicroUsd: null });
    expect(text).toContain('| Directory | `a scratch repository` |');
    expect(text).toContain('(a rehearsal)');
    expect(text).toContain('| Branch | none |');
    expect(text).not.toContain('brain | ');
  });
});
