import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventOf, FeedEvent, FileDiff } from '../../protocol/engine-event.ts';
import { RunCollector } from '../../protocol/run-collect.ts';
import { TOLD_MAX_CHARS } from '../../protocol/run-report.ts';
import { wholeText } from '../../protocol/text.ts';
import {
  actSeen,
  approvalDecided,
  approvalRequested,
  approvalResolved,
  OTHER_REQUEST,
  REQUEST,
} from '../support/feed-events.ts';
import { entriesOf, OTHER_TURN, TURN } from '../support/protocol-builders.ts';
import { said } from '../support/run-builders.ts';

function collect(...events: FeedEvent[]) {
  const collector = new RunCollector();
  collector.add(entriesOf(events));
  return collector.collected;
}

const touched = (...files: Omit<FileDiff, 'patch'>[]): EventOf<'tool/ended'> => ({
  type: 'tool/ended',
  toolId: 'tool-1',
  outcome: 'ok',
  exitCode: null,
  output: wholeText(''),
  files: files.map((file) => ({ ...file, patch: wholeText('') })),
  durationMs: 1,
});
const change = (path: string, how: FileDiff['change'], additions = 1, deletions = 0) => ({
  path,
  change: how,
  additions,
  deletions,
});

describe('a record of nothing', () => {
  it('claims nothing and holds nothing', () => {
    expect(collect()).toEqual({ claim: null, acts: [], files: [], approvals: [] });
  });
});

describe('what is claimed', () => {
  it('is what was said last, with the turn and the time of it', () => {
    expect(collect(said('First.'), said('Second.')).claim).toEqual({
      at: 2,
      turnId: TURN,
      text: 'Second.',
    });
  });

  it('keeps its end where it is long: what is said last counts', () => {
    const text = collect(said(`${'a'.repeat(TOLD_MAX_CHARS)} It is done.`)).claim?.text;
    expect(text).toHaveLength(TOLD_MAX_CHARS);
    expect(text).toMatch(/^…a+ It is done\.$/);
    const whole = 'b'.repeat(TOLD_MAX_CHARS);
    expect(collect(said(whole)).claim?.text).toBe(whole);
  });
});

describe('the files of a run', () => {
  it.each([
    ['created then edited is created', ['created', 'edited', 'edited'], 'created'],
    ['created then deleted is deleted', ['created', 'deleted'], 'deleted'],
    ['deleted then created is created', ['deleted', 'created'], 'created'],
    ['edited then deleted is deleted', ['edited', 'deleted'], 'deleted'],
    ['deleted then edited is edited', ['deleted', 'edited'], 'edited'],
  ] as const)('%s', (_words, changes, told) => {
    const events = changes.map((how) => touched(change('a.ts', how, 2, 1)));
    expect(collect(...events).files).toEqual([
      change('a.ts', told, 2 * changes.length, changes.length),
    ]);
  });

  it('stand once each, in the order of their first change, with the sum of all lines', () => {
    const paths = fc.constantFrom('a.ts', 'b.ts', 'c/d.ts');
    const lines = fc.nat({ max: 1_000 });
    const edit = fc.record({ path: paths, additions: lines, deletions: lines });
    fc.assert(
      fc.property(fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 8 }), (calls) => {
        const { files } = collect(
          ...calls.map((edits) =>
            touched(...edits.map((each) => ({ ...each, change: 'edited' as const }))),
          ),
        );
        const all = calls.flat();
        expect(files.map(({ path }) => path)).toEqual([...new Set(all.map(({ path }) => path))]);
        for (const key of ['additions', 'deletions'] as const)
          expect(files.reduce((sum, file) => sum + file[key], 0)).toBe(
            all.reduce((sum, file) => sum + file[key], 0),
          );
      }),
    );
  });
});

describe('the approvals of a run', () => {
  it('are open and unanswered until somebody answers and the engine confirms', () => {
    expect(collect(approvalRequested()).approvals).toMatchObject([
      { requestId: REQUEST, at: 1, answer: null, resolution: null },
    ]);
  });

  it('keep when each was asked, and when it was answered', () => {
    const { approvals } = collect(
      approvalRequested({ turnId: OTHER_TURN }),
      approvalDecided(),
      approvalResolved(),
    );
    expect(approvals).toMatchObject([
      { at: 1, turnId: OTHER_TURN, answer: { at: 2, decision: 'allow' }, resolution: 'allowed' },
    ]);
  });

  it('are learned of each alone', () => {
    const { approvals } = collect(
      approvalRequested(),
      approvalRequested({ requestId: OTHER_REQUEST, summary: 'rm -r build' }),
      approvalResolved(OTHER_REQUEST, 'expired'),
    );
    expect(approvals.map(({ summary, resolution }) => [summary, resolution])).toEqual([
      ['npm test', null],
      ['rm -r build', 'expired'],
    ]);
  });

  it('are not made up from an answer to what nobody asked', () => {
    expect(collect(approvalDecided(), approvalResolved()).approvals).toEqual([]);
  });
});

describe('a record that is read in pages', () => {
  it('comes to the same as when it is read at once', () => {
    const events = [
      touched(change('a.ts', 'created')),
      actSeen(),
      approvalRequested(),
      said('Half.'),
      approvalDecided(),
      touched(change('a.ts', 'edited')),
      approvalResolved(),
      said('Whole.'),
    ];
    const whole = collect(...events);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: events.length }), (size) => {
        const collector = new RunCollector();
        const entries = entriesOf(events);
        for (let from = 0; from < entries.length; from += size)
          collector.add(entries.slice(from, from + size));
        expect(collector.collected).toEqual(whole);
      }),
    );
  });
});
