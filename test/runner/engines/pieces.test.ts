import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchId, turnId } from '../../../protocol/ids.ts';
import { step } from '../../../runner/engines/draft.ts';
import {
  changedFile,
  createdFile,
  deletedFile,
  editedFile,
} from '../../../runner/engines/file-diff.ts';
import { completeBlock, type Pieces, readPiece } from '../../../runner/engines/pieces.ts';
import { emitEnded, emitMerged } from '../../../runner/engines/turn-events.ts';

type Kind = 'answer' | 'thinking';
const TURN = turnId.parse('trn_1');
const EMPTY: Pieces = { launchId: launchId.parse('lau_1'), block: null, blocks: 0 };

/** What is told of pieces up to the end of the turn. */
function tell(...pieces: (readonly [Kind, string])[]) {
  const { items } = step(EMPTY, 0, (draft) => {
    for (const [kind, text] of pieces) readPiece(draft, { kind, text, turnId: TURN });
    completeBlock(draft);
    completeBlock(draft);
  });
  const deltas = items.flatMap((item) => (item.kind === 'delta' ? [item.delta] : []));
  const blocks = items.flatMap((item) =>
    item.kind === 'event' && item.event.type === 'text/completed' ? [item.event] : [],
  );
  return { deltas, blocks };
}

describe('an answer in pieces', () => {
  test('is one block of each kind in its turn, in their order, each with a name of its own', () => {
    const { blocks } = tell(
      ['thinking', 'Hm'],
      ['answer', 'a'],
      ['answer', 'b'],
      ['thinking', 'c'],
    );
    expect(blocks.map(({ blockId, kind, text }) => [blockId, kind, text.text])).toEqual([
      ['lau_1/0', 'thinking', 'Hm'],
      ['lau_1/1', 'answer', 'ab'],
      ['lau_1/2', 'thinking', 'c'],
    ]);
    expect(new Set(blocks.map((block) => block.turnId))).toEqual(new Set([TURN]));
  });

  test('is nothing where nothing was said', () => {
    expect(tell(['answer', ''], ['thinking', ''])).toEqual({ deltas: [], blocks: [] });
  });

  test('holds one part of a hundred thousand pieces, whether they are of one message or of many', () => {
    for (const kinds of [['answer'], ['answer', 'thinking']] as const) {
      let state = EMPTY;
      let most = 0;
      for (let index = 0; index < 100_000; index++) {
        const kind = kinds[Math.floor(index / 100) % kinds.length] ?? 'answer';
        const piece = { kind, text: 'eight ch', turnId: TURN };
        ({ state } = step(state, 0, (draft) => readPiece(draft, piece)));
        most = Math.max(most, state.block?.text.length ?? 0);
      }
      expect(most).toBe(kinds.length === 1 ? 48_000 - 8 : 800);
    }
  });

  test('is told in parts: at a line’s end past 16,000 characters, and anywhere at 48,000', () => {
    const sizes = (...texts: string[]) =>
      tell(...texts.map((text) => ['answer', text] as const)).blocks.map(
        ({ text }) => text.text.length,
      );
    expect(sizes('x'.repeat(16_000), 'y\n', 'z')).toEqual([16_002, 1]);
    expect(sizes(`${'x'.repeat(15_000)}\n`, 'z')).toEqual([15_002]);
    expect(sizes('x'.repeat(47_999), 'y', 'z')).toEqual([48_000, 1]);
  });

  test('is as a whole what its deltas were, each at its place', () => {
    const piece = fc.tuple(
      fc.constantFrom<Kind>('answer', 'thinking'),
      fc.string({ maxLength: 9 }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { deltas, blocks } = tell(...pieces);
        for (const { blockId, text } of blocks) {
          const own = deltas.filter((delta) => delta.blockId === blockId);
          const joined = own.reduce((so, delta) => so.slice(0, delta.offset) + delta.text, '');
          expect(joined).toBe(text.text);
        }
        expect(blocks.map(({ text }) => text.text).join('')).toBe(
          pieces.map(([, text]) => text).join(''),
        );
      }),
    );
  });
});

describe('a file as a diff', () => {
  test.each([
    ['created', createdFile('a', 'x\ny\n'), '@@ -0,0 +1,2 @@\n+x\n+y', 2, 0],
    ['created', createdFile('a', 'x'), '@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file', 1, 0],
    ['created', createdFile('a', ''), '', 0, 0],
    ['created', createdFile('a', '\n'), '@@ -0,0 +1,1 @@\n+', 1, 0],
    ['deleted', deletedFile('a', 'x\ny\n'), '@@ -1,2 +0,0 @@\n-x\n-y', 0, 2],
    [
      'created',
      changedFile({ path: 'a', oldText: null, newText: 'x\n' }),
      '@@ -0,0 +1,1 @@\n+x',
      1,
      0,
    ],
    [
      'edited',
      changedFile({ path: 'a', oldText: 'x\ny\n', newText: 'x\nz\n' }),
      '@@ -1,2 +1,2 @@\n x\n-y\n+z',
      1,
      1,
    ],
    ['edited', changedFile({ path: 'a', oldText: 'x\n', newText: 'x\n' }), '', 0, 0],
  ])('that was %s', (change, diff, patch, additions, deletions) => {
    expect(diff).toMatchObject({ path: 'a', change, additions, deletions, patch: { text: patch } });
  });

  test('counts lines that themselves begin with signs', () => {
    const { additions, deletions } = changedFile({
      path: 'a.sql',
      oldText: 'keep\n-- old comment\n',
      newText: 'keep\n++ new\n',
    });
    expect([additions, deletions]).toEqual([1, 1]);
  });

  test('does not count the head of a file, where an engine tells one', () => {
    const hunks = '@@ -1,1 +1,1 @@\n-a\n+b\n';
    for (const text of [hunks, `--- a.md\n+++ a.md\n${hunks}`])
      expect(editedFile('a.md', text)).toMatchObject({ additions: 1, deletions: 1 });
  });
});

describe('the end of a turn', () => {
  const end = { outcome: 'ok', error: null, usage: 'recorded' } as const;
  test('lasted no less than nothing, and recorded acts where there were any', () => {
    const told = (at: number, startedAt: number, acts: number) =>
      step(null, at, (draft) => emitEnded(draft, { turnId: TURN, startedAt, acts }, end)).items[0];
    expect(told(50, 20, 2)).toMatchObject({ event: { durationMs: 30, acts: 'recorded' } });
    expect(told(20, 50, 0)).toMatchObject({ event: { durationMs: 0, acts: 'none' } });
  });

  test('ends with it those that went into it, of which nothing can be told apart', () => {
    const merged = ['trn_2', 'trn_3'].map((id) => turnId.parse(id));
    const { items } = step(null, 9, (draft) => emitMerged(draft, merged, 'failed'));
    expect(items).toMatchObject(
      merged.flatMap((id) => [
        { event: { type: 'turn/started', turnId: id } },
        { event: { type: 'turn/ended', turnId: id, outcome: 'failed', usage: 'unobservable' } },
      ]),
    );
  });
});
