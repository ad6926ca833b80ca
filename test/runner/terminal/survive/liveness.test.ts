import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaneFacts } from '../../../../runner/terminal/tmux/panes.ts';
import {
  decideCare,
  decideLiveness,
  type Liveness,
} from '../../../../runner/terminal/survive/liveness.ts';

const target = { server: 'own', born: '7.100', id: '$1' } as const;
const pane = (changes: Partial<PaneFacts> = {}) =>
  ({ server: '7.100', sessionId: '$1', pane: '%1', dead: false, ...changes }) as PaneFacts;
const KEEP_MS = 1_800_000;
const NOW = 10_000_000;

describe('whether a session lives', () => {
  it.each<[string, PaneFacts[] | null, Liveness]>([
    ['it is listed', [pane()], 'live'],
    ['one of its panes works on', [pane({ dead: true }), pane()], 'live'],
    ['all its panes have ended', [pane({ dead: true }), pane({ dead: true })], 'ended'],
    ['nothing is listed', [], 'absent'],
    ['only others are listed', [pane({ sessionId: '$2' })], 'absent'],
    ['a later server gave its number out', [pane({ server: '8.200' })], 'absent'],
    ['the server did not answer', null, 'unknown'],
  ])('when %s', (_when, panes, liveness) => {
    expect(decideLiveness(panes, target)).toBe(liveness);
  });

  it('is asked of a pane as of a session', () => {
    expect(
      decideLiveness([pane({ dead: true }), pane({ pane: '%2' })], { ...target, id: '%1' }),
    ).toBe('ended');
  });
});

describe('what becomes of a session', () => {
  const ended = { ours: true, liveness: 'ended' as const, endedAtMs: NOW };

  it.each([
    ['is noted when it is first seen ended', { ...ended, endedAtMs: null }, 0, 'note_end'],
    ['is left while it is kept', ended, KEEP_MS - 1, 'leave'],
    ['is closed after that', ended, KEEP_MS, 'close'],
    [
      'is forgotten to have ended, when it works again',
      { ...ended, liveness: 'live' as const },
      5,
      'forget_end',
    ],
    [
      'is left while it works',
      { ...ended, liveness: 'live' as const, endedAtMs: null },
      5,
      'leave',
    ],
    [
      'is left while nothing is known',
      { ...ended, liveness: 'unknown' as const },
      KEEP_MS,
      'leave',
    ],
    ['is left when it is somebody’s', { ...ended, ours: false }, KEEP_MS * 9, 'leave'],
    [
      'is noted anew when the clock was set back',
      { ...ended, endedAtMs: NOW + 60_000 },
      0,
      'note_end',
    ],
  ] as const)('%s', (_what, session, after, care) => {
    expect(decideCare(session, KEEP_MS, NOW + after)).toBe(care);
  });

  it('is never decided at one look: with nothing kept, it is seen ended twice', () => {
    expect(decideCare({ ...ended, endedAtMs: null }, 0, NOW)).toBe('note_end');
    expect(decideCare(ended, 0, NOW + 9_999)).toBe('leave');
    expect(decideCare(ended, 0, NOW + 10_000)).toBe('close');
  });

  it('is closed only when it is ours and ended, whatever else', () => {
    const session = fc.record({
      ours: fc.boolean(),
      liveness: fc.constantFrom<Liveness>('live', 'ended', 'absent', 'unknown'),
      endedAtMs: fc.option(fc.nat(2 * NOW)),
    });
    fc.assert(
      fc.property(session, fc.nat(KEEP_MS), fc.nat(2 * NOW), (found, keepMs, nowMs) => {
        if (decideCare(found, keepMs, nowMs) !== 'close') return;
        expect(found).toMatchObject({ ours: true, liveness: 'ended' });
        expect(nowMs - (found.endedAtMs ?? Infinity)).toBeGreaterThanOrEqual(keepMs);
      }),
    );
  });
});
