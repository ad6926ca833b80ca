import { describe, expect, it } from 'vitest';
import type { FeedEntry } from '../../protocol/engine-event.ts';
import { turnId } from '../../protocol/ids.ts';
import { findFaults } from './record.ts';

const turn = turnId.parse('trn_one');
const started = (position: number, seq: number): FeedEntry => ({
  position,
  seq,
  at: 1,
  event: { type: 'turn/started', turnId: turn, origin: 'instruction' },
});
const ended = (position: number, seq: number): FeedEntry => ({
  position,
  seq,
  at: 2,
  event: {
    type: 'turn/ended',
    turnId: turn,
    outcome: 'ok',
    error: null,
    durationMs: 1,
    usage: 'none',
    acts: 'none',
  },
});

// The oracle of the restart tests: one that finds nothing wrong would make them all pass.
describe('what is wrong with a record', () => {
  it('is nothing in one that is whole', () => {
    expect(findFaults([started(1, 1), ended(2, 2)])).toEqual([]);
  });

  it('is a gap, in either numbering', () => {
    expect(findFaults([started(1, 1), ended(3, 2)])).toEqual(['position 3 where 2 belongs']);
    expect(findFaults([started(1, 1), ended(2, 3)])).toEqual(['seq 3 where 2 belongs']);
  });

  it('is something that is told twice', () => {
    expect(findFaults([started(1, 1), ended(2, 2), ended(3, 3)])).toEqual([
      'turn/ended trn_one twice',
    ]);
  });

  it('is a turn that never ends', () => {
    expect(findFaults([started(1, 1)])).toEqual(['turn/started trn_one without turn/ended']);
  });
});
