import { describe, expect, it } from 'vitest';
import {
  describeMove,
  joinWitnesses,
  MAX_OTHER_MOVES,
  sayWitnesses,
  sumWitnessed,
  turnWitnessed,
  witnessLines,
  type ActWitness,
  type TurnWitnessed,
} from '../../protocol/witness.ts';
import { TURN } from '../support/protocol-builders.ts';

const MOVE = {
  place: 'origin',
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
};
const found = (finding: ActWitness['finding'], by: ActWitness['by'] = 'git'): ActWitness => ({
  by,
  finding,
  move: finding === 'unmoved' ? null : MOVE,
  evidence: 'so',
});
const told = (over: Partial<TurnWitnessed> = {}): TurnWitnessed => ({
  turnId: TURN,
  places: [{ name: 'origin', refs: 3, skipped: null }],
  others: [],
  more: 0,
  elapsedMs: 4,
  ...over,
});

describe('claim and witness of an act', () => {
  it.each([
    ['stream', [], 'stream', null],
    ['stream', [found('confirmed')], 'stream and refs', null],
    ['stream', [found('confirmed', 'gate'), found('confirmed')], 'stream and gate and refs', null],
    ['stream', [found('unmoved')], 'stream', 'no ref moved'],
    ['git', [found('unclaimed')], 'refs', 'not in the stream'],
    ['git', [found('only')], 'refs', null],
    ['gate', [found('confirmed')], 'gate and refs', null],
  ] as const)('of %s with %j were seen in %s: %s', (first, others, words, difference) => {
    const joined = joinWitnesses(first, others);
    expect(sayWitnesses(joined)).toBe(words);
    expect(joined.difference).toBe(difference);
  });

  it('do not differ any more once a ref was seen to move after all', () => {
    expect(joinWitnesses('stream', [found('unmoved'), found('confirmed')]).difference).toBeNull();
  });
});

describe('a move in words', () => {
  it.each([
    [MOVE, 'main on origin: 111111111 → 222222222'],
    [{ ...MOVE, before: null }, 'main on origin: new at 222222222'],
    [{ ...MOVE, after: null }, 'main on origin: deleted (was 111111111)'],
    [{ ...MOVE, ref: 'refs/tags/v1' }, 'v1 on origin: 111111111 → 222222222'],
    [{ ...MOVE, ref: 'refs/notes/x' }, 'refs/notes/x on origin: 111111111 → 222222222'],
  ])('%j', (move, words) => {
    expect(describeMove(move)).toBe(words);
  });
});

describe('a comparison', () => {
  it('that found nothing else has nothing to say', () => {
    expect(witnessLines(told())).toEqual([]);
  });

  it('names what could not be compared, and what others moved', () => {
    const lines = witnessLines(
      told({
        places: [{ name: 'origin', refs: null, skipped: 'It did not answer.' }],
        others: [{ ...MOVE, reason: 'Its commit is not from here.' }],
        more: 2,
      }),
    );
    expect(lines).toEqual([
      'The refs of origin were not compared: It did not answer.',
      'Moved, author unknown: main on origin: 111111111 → 222222222. Its commit is not from here.',
      '2 more moved, author unknown.',
    ]);
  });

  it('is counted for the view: refs where there are some, and why where there are none', () => {
    const places = [
      { name: 'repository', refs: 3, skipped: null },
      { name: 'origin', refs: null, skipped: 'offline' },
    ];
    const others = [{ ...MOVE, reason: 'so' }];
    expect(sumWitnessed(told({ places, others, more: 4 }))).toEqual({
      refs: 3,
      places: ['repository'],
      skipped: ['origin: offline'],
      others: 5,
    });
  });

  it('lists no more than so many moves of others', () => {
    const other = { ...MOVE, reason: 'so' };
    const many = Array.from({ length: MAX_OTHER_MOVES + 1 }, () => other);
    expect(turnWitnessed.safeParse(told({ others: many })).success).toBe(false);
    expect(turnWitnessed.safeParse(told({ others: many.slice(1) })).success).toBe(true);
  });
});
