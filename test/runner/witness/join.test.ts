import { describe, expect, it } from 'vitest';
import { decideAuthor } from '../../../runner/witness/author.ts';
import { fitOf } from '../../../runner/witness/claims.ts';
import { kindOfMove } from '../../../runner/witness/kind.ts';
import {
  keepLastRefs,
  listMoves,
  parseRefs,
  type Snapshot,
} from '../../../runner/witness/snapshot.ts';
import { A, B, aClaim, aMove, evidenceOf } from './builders.ts';

const snapshot = (refs: Record<string, string> | null, head: string | null = 'main'): Snapshot => ({
  takenAt: 1,
  places: [{ name: 'origin', remote: true, refs, skipped: refs ? null : 'away', head }],
  brought: [],
});

describe('whose a move is', () => {
  it.each([
    ['nothing', evidenceOf(), null, 'unknown'],
    ['a reflog', evidenceOf({ logged: true }), null, 'session'],
    ['a commit of its own', evidenceOf({ own: true, held: true }), null, 'session'],
    ['a commit that others have too', evidenceOf({ held: true }), null, 'unknown'],
    ['such a commit and a claim', evidenceOf({ held: true }), aClaim(), 'session'],
    [
      'such a commit and a claim that failed',
      evidenceOf({ held: true }),
      aClaim({ outcome: 'not_done' }),
      'unknown',
    ],
    ['a claim alone', evidenceOf(), aClaim(), 'unknown'],
    [
      'a fetched commit and a claim',
      evidenceOf({ held: true, fetched: true }),
      aClaim(),
      'unknown',
    ],
    ['the gate', evidenceOf(), aClaim({ gate: true }), 'session'],
    [
      'a push that the gate refused',
      evidenceOf(),
      aClaim({ gate: true, outcome: 'not_done' }),
      'unknown',
    ],
  ] as const)('by %s', (_what, found, told, by) => {
    expect(decideAuthor(aMove(), found, told).by).toBe(by);
  });
});

describe('a merge that a forge was asked for', () => {
  const ask = aClaim({ kind: 'merge', command: 'gh pr merge 4', target: '4', outcome: 'done' });

  it('moves a branch that was there, and is the session’s', () => {
    expect(decideAuthor(aMove(), evidenceOf(), ask).by).toBe('session');
  });

  it('makes no branch and no tag, and removes none: those are a colleague’s', () => {
    const theirs = [aMove({ before: null }), aMove({ ref: 'refs/tags/v1' })];
    for (const move of theirs) expect(decideAuthor(move, evidenceOf(), ask).by).toBe('unknown');
  });

  it('is nobody’s where more moved than was asked for', () => {
    expect(decideAuthor(aMove(), evidenceOf(), ask, false).by).toBe('unknown');
  });
});

describe('a claim and a move', () => {
  it.each([
    [aClaim(), aMove(), 2],
    [aClaim({ target: 'origin dev', command: 'git push origin dev' }), aMove(), 0],
    [aClaim({ target: 'origin', command: 'git push origin' }), aMove(), 1],
    [aClaim({ kind: 'delete', command: 'git push origin :main' }), aMove({ after: null }), 2],
    [aClaim({ kind: 'delete' }), aMove(), 0],
    [aClaim({ gate: true, move: { ref: 'refs/heads/main', after: B } }), aMove(), 3],
    [aClaim({ gate: true, move: { ref: 'refs/heads/main', after: A } }), aMove(), 0],
    [aClaim({ kind: 'merge', command: 'gh pr merge 4', target: '4' }), aMove(), 1],
    [aClaim({ kind: 'merge', command: 'git merge x', target: 'x' }), aMove(), 0],
  ])('fit %#', (told, moved, fit) => {
    expect(fitOf(told, moved)).toBe(fit);
  });
});

describe('two snapshots', () => {
  it('differ by what is new, elsewhere and gone', () => {
    const before = snapshot({ 'refs/heads/a': A, 'refs/heads/b': A, 'refs/heads/c': A });
    const after = snapshot({ 'refs/heads/a': A, 'refs/heads/b': B, 'refs/tags/v1': B });
    expect(
      listMoves(before, after).map(({ ref, before: was, after: is }) => [ref, was, is]),
    ).toEqual([
      ['refs/heads/b', A, B],
      ['refs/tags/v1', null, B],
      ['refs/heads/c', A, null],
    ]);
  });

  it('do not differ where one of them could not look, whose refs are kept for the next', () => {
    const before = snapshot({ 'refs/heads/a': A });
    expect(listMoves(before, snapshot(null))).toEqual([]);
    const kept = keepLastRefs(before, snapshot(null));
    expect(listMoves(kept, snapshot({}))).toHaveLength(1);
  });

  it('reach back to when all places were seen, and know what came home since', () => {
    const before = snapshot({ 'refs/heads/a': A });
    const later = { takenAt: 9_000, brought: [B] };
    const away = keepLastRefs(before, { ...snapshot(null), ...later });
    expect(away).toMatchObject({ takenAt: 1, brought: [B] });
    expect(keepLastRefs(away, { ...snapshot(null), takenAt: 99_000 }).takenAt).toBe(1);
    expect(keepLastRefs(away, { ...snapshot({}), ...later }).takenAt).toBe(9_000);
    expect(keepLastRefs(null, { ...snapshot(null), ...later }).takenAt).toBe(9_000);
  });

  it('are read from what git lists, without what an annotated tag points at', () => {
    const listed = `ref: refs/heads/main\tHEAD\n${A}\tHEAD\n${A}\trefs/heads/main\n${B}\trefs/tags/v1\n${A}\trefs/tags/v1^{}\n`;
    expect(parseRefs(listed)).toEqual({
      refs: { 'refs/heads/main': A, 'refs/tags/v1': B },
      head: 'main',
    });
  });
});

describe('the kind of a move', () => {
  const room = { before: snapshot({}), inPlace: false, protectedBranches: ['release/*'] };
  it.each([
    [aMove(), true, 'merge'],
    [aMove({ ref: 'refs/heads/dev' }), true, 'push'],
    [aMove({ ref: 'refs/heads/release/1' }), true, 'merge'],
    [aMove(), false, 'force_push'],
    [aMove({ after: null }), null, 'delete'],
    [aMove({ ref: 'refs/tags/v1', before: null }), true, 'tag'],
    [aMove({ ref: 'refs/tags/v1' }), true, 'force_push'],
  ] as const)('%#', (moved, forward, kind) => {
    expect(kindOfMove(moved, forward, room)).toBe(kind);
  });
});
