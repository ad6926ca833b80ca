import { describe, expect, it } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import { decideAuthor } from '../../../runner/witness/author.ts';
import { fitOf, type Claim } from '../../../runner/witness/claims.ts';
import type { Evidence } from '../../../runner/witness/evidence.ts';
import { kindOfMove } from '../../../runner/witness/kind.ts';
import {
  keepLastRefs,
  listMoves,
  parseRefs,
  type Move,
  type Snapshot,
} from '../../../runner/witness/snapshot.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const move = (over: Partial<Move> = {}): Move => ({
  place: 'origin',
  remote: true,
  ref: 'refs/heads/main',
  before: A,
  after: B,
  ...over,
});
const claim = (over: Partial<Claim> = {}): Claim => ({
  actId: actId.parse('act_1'),
  kind: 'push',
  command: 'git push origin main',
  target: 'origin main',
  gate: false,
  claimId: null,
  move: null,
  outcome: 'done',
  ...over,
});
const evidence = (over: Partial<Evidence> = {}): Evidence => ({
  logged: false,
  own: false,
  held: false,
  fetched: false,
  forward: true,
  changes: { known: true, paths: [] },
  ...over,
});
const snapshot = (refs: Record<string, string> | null, head: string | null = 'main'): Snapshot => ({
  takenAt: 1,
  places: [{ name: 'origin', remote: true, refs, skipped: refs ? null : 'away', head }],
  brought: [],
});

describe('whose a move is', () => {
  it.each([
    ['nothing', evidence(), null, 'unknown'],
    ['a reflog', evidence({ logged: true }), null, 'session'],
    ['a commit of its own', evidence({ own: true, held: true }), null, 'session'],
    ['a commit that others have too', evidence({ held: true }), null, 'unknown'],
    ['such a commit and a claim', evidence({ held: true }), claim(), 'session'],
    [
      'such a commit and a claim that failed',
      evidence({ held: true }),
      claim({ outcome: 'not_done' }),
      'unknown',
    ],
    ['a claim alone', evidence(), claim(), 'unknown'],
    ['a fetched commit and a claim', evidence({ held: true, fetched: true }), claim(), 'unknown'],
    ['the gate', evidence(), claim({ gate: true }), 'session'],
    [
      'a push that the gate refused',
      evidence(),
      claim({ gate: true, outcome: 'not_done' }),
      'unknown',
    ],
  ] as const)('by %s', (_what, found, told, by) => {
    expect(decideAuthor(move(), found, told).by).toBe(by);
  });
});

describe('a claim and a move', () => {
  it.each([
    [claim(), move(), 2],
    [claim({ target: 'origin dev', command: 'git push origin dev' }), move(), 0],
    [claim({ target: 'origin', command: 'git push origin' }), move(), 1],
    [claim({ kind: 'delete', command: 'git push origin :main' }), move({ after: null }), 2],
    [claim({ kind: 'delete' }), move(), 0],
    [claim({ gate: true, move: { ref: 'refs/heads/main', after: B } }), move(), 3],
    [claim({ gate: true, move: { ref: 'refs/heads/main', after: A } }), move(), 0],
    [claim({ kind: 'merge', command: 'gh pr merge 4', target: '4' }), move(), 1],
    [claim({ kind: 'merge', command: 'git merge x', target: 'x' }), move(), 0],
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
    [move(), true, 'merge'],
    [move({ ref: 'refs/heads/dev' }), true, 'push'],
    [move({ ref: 'refs/heads/release/1' }), true, 'merge'],
    [move(), false, 'force_push'],
    [move({ after: null }), null, 'delete'],
    [move({ ref: 'refs/tags/v1', before: null }), true, 'tag'],
    [move({ ref: 'refs/tags/v1' }), true, 'force_push'],
  ] as const)('%#', (moved, forward, kind) => {
    expect(kindOfMove(moved, forward, room)).toBe(kind);
  });
});
