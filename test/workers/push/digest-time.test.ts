import { describe, expect, it } from 'vitest';
import { dayOf, nextDigest } from '../../../workers/push/digest-time.ts';

const EIGHT = { at: 8 * 60, timeZone: 'Europe/Berlin' };
const at = (iso: string) => Date.parse(iso);
const next = (choice: typeof EIGHT, after: string, lastDay: string | null = null) =>
  new Date(nextDigest(choice, at(after), lastDay)).toISOString();

describe('the next digest', () => {
  it.each([
    ['later today', '2026-11-30T06:59:59Z', '2026-11-30T07:00:00.000Z'],
    ['tomorrow, from its own moment on', '2026-11-30T07:00:00Z', '2026-12-01T07:00:00.000Z'],
    [
      'at the same time of their clock in summer',
      '2026-07-01T12:00:00Z',
      '2026-07-02T06:00:00.000Z',
    ],
    ['23 hours later when spring takes one', '2026-03-28T07:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['25 hours later when autumn gives one', '2026-10-24T06:00:00Z', '2026-10-25T07:00:00.000Z'],
  ])('is %s', (_, after, due) => {
    expect(next(EIGHT, after)).toBe(due);
  });

  it('comes once on the day whose clock shows its time twice, and on that which skips it', () => {
    const half = { ...EIGHT, at: 2 * 60 + 30 };
    expect(next(half, '2026-10-24T22:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(next(half, '2026-10-25T00:30:00Z', '2026-10-25')).toBe('2026-10-26T01:30:00.000Z');
    expect(next(half, '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
  });

  it('is of another day than the last one, whatever time is chosen', () => {
    expect(next({ ...EIGHT, at: 20 * 60 }, '2026-11-30T08:00:00Z', '2026-11-30')).toBe(
      '2026-12-01T19:00:00.000Z',
    );
    expect(
      next({ at: 8 * 60, timeZone: 'Pacific/Honolulu' }, '2026-11-30T08:00:00Z', '2026-11-30'),
    ).toBe('2026-12-01T18:00:00.000Z');
  });

  it('is of a day where the person is', () => {
    expect(dayOf(at('2026-11-30T23:30:00Z'), 'Europe/Berlin')).toBe('2026-12-01');
    expect(dayOf(at('2026-11-30T23:30:00Z'), 'America/New_York')).toBe('2026-11-30');
  });
});
