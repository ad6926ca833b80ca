import { describe, expect, it } from 'vitest';
import { commandId } from '../../../protocol/ids.ts';
import { decideClose, decideEnds, decideFollow } from '../../../runner/drives/decide-close.ts';

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

describe('the parts of writes to one conversation', () => {
  const part = (begunAt: number, over: { until?: number; written?: boolean } = {}) => ({
    id: commandId.parse(`cmd_${begunAt}`),
    sessionId: 'one',
    begunAt,
    from: { file: begunAt },
    until: over.until === undefined ? null : { file: over.until },
    written: over.written ?? true,
  });
  const ends = (...parts: ReturnType<typeof part>[]) =>
    parts.map(({ begunAt, until }) => [begunAt, until?.file ?? null]);

  it('end where the next one began, in whichever order it is known that they were written', () => {
    const [one, two, three] = [part(1), part(2, { written: false }), part(3, { written: false })];
    expect(ends(...decideEnds(two, [one, two, three]))).toEqual([
      [1, 2],
      [2, null],
    ]);
    expect(ends(...decideEnds(three, [one, two, three]))).toEqual([
      [1, 3],
      [3, null],
    ]);
    // The later one was known first.
    expect(ends(...decideEnds(two, [part(1, { until: 3 }), two, part(3)]))).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('stay as they are where an earlier end is known, or the conversation is another', () => {
    const taken = part(5);
    const others = [part(1, { until: 3 }), { ...part(2), sessionId: 'other' }];
    expect(ends(...decideEnds(taken, [...others, taken]))).toEqual([[5, null]]);
  });
});
