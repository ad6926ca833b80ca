import { describe, expect, it } from 'vitest';
import { decideEnd, type FollowedWrite } from '../../../../runner/drives/witness/decide-end.ts';
import { type Company, decideWriter } from '../../../../runner/drives/witness/decide-writer.ts';
import type { Evidence } from '../../../../runner/witness/evidence.ts';
import type { Claim } from '../../../../runner/witness/claims.ts';
import type { Move } from '../../../../runner/witness/snapshot.ts';
import { actId } from '../../../../protocol/ids.ts';
import { evidenceOf } from '../../witness/builders.ts';

const move: Move = {
  place: 'origin',
  remote: true,
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
};
const gone: Move = { ...move, after: null };
const nothing = evidenceOf();
const logged = { ...nothing, held: true, logged: true };
const alone: Company = { typed: false, shared: false, restarted: false, end: 'ended' };
const claim: Claim = {
  actId: actId.parse('act_1'),
  kind: 'push',
  command: 'git push',
  target: 'origin',
  gate: false,
  claimId: null,
  move: null,
  outcome: 'unknown',
};
const merge: Claim = { ...claim, kind: 'merge', command: 'gh pr merge 4', outcome: 'done' };

describe('whose a move is that came after an operator’s write', () => {
  it.each<
    [string, Move, Evidence, Claim | null, Partial<Company>, boolean, 'operator' | 'unknown']
  >([
    ['pushed from there, alone', move, logged, null, {}, true, 'operator'],
    ['made there, which nobody had', move, { ...nothing, own: true }, null, {}, true, 'operator'],
    [
      'told to, and the commit is there',
      move,
      { ...nothing, held: true },
      claim,
      {},
      true,
      'operator',
    ],
    [
      'the commit is there, told nothing',
      move,
      { ...nothing, held: true },
      null,
      {},
      true,
      'unknown',
    ],
    ['told to, and the commit is not there', move, nothing, claim, {}, true, 'unknown'],
    ['fetched, whatever else', move, { ...logged, fetched: true }, claim, {}, true, 'unknown'],
    ['a person typed', move, logged, claim, { typed: true }, true, 'unknown'],
    ['another operator wrote', move, logged, claim, { shared: true }, true, 'unknown'],
    ['never known to be over', move, logged, null, { end: 'late' }, true, 'unknown'],
    ['the same, told to', move, logged, claim, { end: 'late' }, true, 'operator'],
    ['after a restart', move, logged, null, { restarted: true }, true, 'unknown'],
    ['the same, told to', move, logged, claim, { restarted: true }, true, 'operator'],
    ['gone, told to delete it', gone, nothing, { ...claim, kind: 'delete' }, {}, true, 'operator'],
    ['gone, told nothing', gone, nothing, null, {}, true, 'unknown'],
    ['merged by a forge, as told', move, nothing, merge, {}, true, 'operator'],
    ['merged by a forge, with others', move, nothing, merge, {}, false, 'unknown'],
    [
      'merged by a forge, and a person typed',
      move,
      nothing,
      merge,
      { typed: true },
      true,
      'unknown',
    ],
  ])('%s', (_, of, evidence, told, company, asked, by) => {
    expect(decideWriter(of, evidence, told, { ...alone, ...company }, asked).by).toBe(by);
  });
});

describe('when a write has had its effect', () => {
  const written: FollowedWrite = { writtenAt: 0, state: 'program', idleSince: null, tells: false };
  it.each<[string, Partial<FollowedWrite>, number, ReturnType<typeof decideEnd>]>([
    ['a program runs', {}, 60_000, null],
    ['the terminal is gone', { state: null }, 1, 'ended'],
    ['the shell is not back for long', { state: 'shell' }, 1_999, null],
    ['the shell is back', { state: 'shell' }, 2_000, 'idle'],
    [
      'an agent waited before it, and has not begun',
      { idleSince: -9_000, tells: true },
      1_000,
      null,
    ],
    ['an agent waits again', { idleSince: 50_000, tells: true }, 52_000, 'idle'],
    ['a program that runs on', {}, 15 * 60_000 + 1, 'late'],
    ['a full screen says nothing', { state: 'fullscreen' }, 2 * 60_000 + 1, 'late'],
    ['of an agent in it that says so', { state: 'fullscreen', tells: true }, 3 * 60_000, null],
  ])('%s', (_, over, nowMs, end) => {
    expect(decideEnd({ ...written, ...over }, nowMs)).toBe(end);
  });
});
