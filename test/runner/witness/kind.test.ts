import { describe, expect, it } from 'vitest';
import { decideAuthor } from '../../../runner/witness/author.ts';
import { defaultBranchOf, kindOfMove } from '../../../runner/witness/kind.ts';
import {
  listMoves,
  type Move,
  type PlaceSnapshot,
  type Snapshot,
} from '../../../runner/witness/snapshot.ts';
import { A, B, aClaim, aMove, evidenceOf } from './builders.ts';

const here = (over: Partial<Move> = {}) => aMove({ place: 'repository', remote: false, ...over });
const place = (name: string, head: string | null, refs = {}): PlaceSnapshot => ({
  name,
  remote: name !== 'repository',
  refs,
  skipped: null,
  head,
});
const seen = (...places: PlaceSnapshot[]): Snapshot => ({ takenAt: 1, places, brought: [] });

describe('the branch that others build on', () => {
  const before = seen(place('repository', 'work'), place('origin', 'main'), place('fork', 'dev'));

  it('is in a remote what that remote says', () => {
    expect(defaultBranchOf(aMove(), before)).toBe('main');
    expect(defaultBranchOf(aMove({ place: 'fork' }), before)).toBe('dev');
    expect(defaultBranchOf(aMove({ place: 'gone' }), before)).toBeNull();
  });

  it('is here that of any remote, and of none of them that of the first', () => {
    expect(defaultBranchOf(here({ ref: 'refs/heads/dev' }), before)).toBe('dev');
    expect(defaultBranchOf(here({ ref: 'refs/heads/work' }), before)).toBe('main');
  });

  it('is what is checked out where no remote says one', () => {
    const alone = seen(place('repository', 'work'), place('origin', null));
    expect(defaultBranchOf(here(), alone)).toBe('work');
    expect(defaultBranchOf(here(), seen())).toBeNull();
  });
});

describe('a move in the repository that the session works in', () => {
  const room = (head: string) => ({
    before: seen(place('repository', head), place('origin', 'main')),
    inPlace: true,
    protectedBranches: ['release/*'],
  });
  it.each([
    ['on the trunk that is checked out is a commit', here(), 'main', 'commit'],
    ['on the trunk from beside it is a merge', here(), 'work', 'merge'],
    ['on a branch of its own is work', here({ ref: 'refs/heads/work' }), 'work', null],
    ['backwards on a branch of its own is work', here({ ref: 'refs/heads/work' }), 'main', null],
    ['on a protected branch is a merge', here({ ref: 'refs/heads/release/2' }), 'work', 'merge'],
    ['of a note is work', here({ ref: 'refs/notes/commits' }), 'work', null],
    ['of a note elsewhere is a push', aMove({ ref: 'refs/notes/commits' }), 'work', 'push'],
    ['that ends a branch deletes it', here({ after: null }), 'work', 'delete'],
  ] as const)('%s', (_what, moved, head, kind) => {
    expect(kindOfMove(moved, false, room(head))).toBe(kind);
  });

  it('that nobody can compare is not called forced', () => {
    expect(kindOfMove(aMove({ ref: 'refs/heads/dev' }), null, room('work'))).toBe('push');
    expect(kindOfMove(aMove({ ref: 'refs/heads/dev', before: null }), false, room('work'))).toBe(
      'push',
    );
  });
});

describe('refs that are nobody’s act', () => {
  it('are ours, fetched ones and such as nobody watches, in the repository and not in a remote', () => {
    const refs = {
      'refs/pilothouse/ses_1': B,
      'refs/heads/pilothouse/fix': B,
      'refs/remotes/origin/main': B,
      'refs/stash': B,
      'refs/heads/mine': B,
    };
    const movesOf = (name: string) =>
      listMoves(seen(place(name, null)), seen(place(name, null, refs))).map(({ ref }) => ref);
    expect(movesOf('repository')).toEqual(['refs/heads/mine']);
    expect(movesOf('origin')).toEqual(['refs/heads/pilothouse/fix', 'refs/heads/mine']);
  });

  it('are those of a place that only one of two looks knew', () => {
    const refs = { 'refs/heads/a': A };
    expect(listMoves(seen(), seen(place('origin', null, refs)))).toEqual([]);
    expect(listMoves(seen(place('origin', null, refs)), seen())).toEqual([]);
  });
});

describe('why a move is somebody’s', () => {
  const merge = aClaim({ kind: 'merge', command: 'gh pr merge 4' });

  it.each([
    ['the gate before all else', aMove(), evidenceOf({ fetched: true }), aClaim({ gate: true })],
    [
      'a reflog before what was fetched',
      aMove(),
      evidenceOf({ logged: true, fetched: true }),
      null,
    ],
    ['a branch that it said it deletes', aMove({ after: null }), evidenceOf(), aClaim()],
    ['a merge that a forge made for it', aMove(), evidenceOf(), merge],
  ])('is the session’s: %s', (_what, moved, found, told) => {
    expect(decideAuthor(moved, found, told).by).toBe('session');
  });

  it.each([
    ['it is gone and nobody said so', aMove({ after: null }), evidenceOf(), null, 'who deleted'],
    [
      'its own deletion was refused',
      aMove({ after: null }),
      evidenceOf(),
      aClaim({ outcome: 'not_done' }),
      'who deleted',
    ],
    ['fetched, though own', aMove(), evidenceOf({ fetched: true, own: true }), null, 'fetched'],
    [
      'a merge of which nothing came',
      aMove(),
      evidenceOf(),
      { ...merge, outcome: null },
      'not from',
    ],
    ['a merge that a forge cannot make here', here(), evidenceOf(), merge, 'not from'],
    ['what others have too', aMove(), evidenceOf({ held: true }), null, 'others have it too'],
  ] as const)('is nobody’s: %s', (_what, moved, found, told, reason) => {
    expect(decideAuthor(moved, found, told)).toEqual({
      by: 'unknown',
      reason: expect.stringContaining(reason),
    });
  });
});
