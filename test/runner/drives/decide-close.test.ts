import { describe, expect, it } from 'vitest';
import { decideClose, decideFollow } from '../../../runner/drives/decide-close.ts';

const NOW = 100_000;
const FOLLOW = { begunAt: NOW - 10_000, superseded: false, there: true };
const at = (status: string | null, statusAt: number | null, over = {}) =>
  decideFollow({ ...FOLLOW, status, statusAt, ...over }, NOW);

describe('a write to a coding agent', () => {
  it.each([
    ['in a turn', at('busy', NOW - 5_000), 'wait'],
    ['while it asks something', at('waiting', NOW - 5_000), 'wait'],
    ['as it just became idle', at('idle', NOW - 500), 'wait'],
    ['idle for long enough', at('idle', NOW - 3_000), 'idle'],
    ['idle since before, just after the write', at('idle', 1, { begunAt: NOW - 1_000 }), 'wait'],
    ['by a version that does not tell', at(null, null), 'wait'],
    ['once another write began', at('busy', NOW, { superseded: true }), 'over'],
    ['once the program is gone', at(null, null, { there: false }), 'over'],
    ['after most of a day', at('busy', NOW, { begunAt: NOW - 7 * 3_600_000 }), 'over'],
  ])('%s', (_when, decision, expected) => {
    expect(decision).toBe(expected);
  });

  it('is told of once something was used, and given up where nothing will be', () => {
    expect(decideClose('idle', true, 0)).toBe('report');
    expect(decideClose('over', true, 0)).toBe('report');
    expect(decideClose('idle', false, 60_000)).toBe('wait');
    expect(decideClose('idle', false, 11 * 60_000)).toBe('drop');
    expect(decideClose('over', false, 0)).toBe('drop');
    expect(decideClose('idle', null, 0)).toBe('drop');
  });
});
