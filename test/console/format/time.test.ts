// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatSpan,
  formatUntil,
} from '../../../console/format/time.ts';

const NOW = new Date(2026, 4, 3, 14, 30).getTime();
const MINUTE = 60_000;

describe('how long ago', () => {
  it.each([
    [0, 'now'],
    [4_000, 'now'],
    [12_000, '12 s ago'],
    [3 * MINUTE + 5_000, '3 min ago'],
    [2 * 60 * MINUTE, '2 h ago'],
    [49 * 60 * MINUTE, '2 d ago'],
  ])('%i ms reads %s', (passed, text) => {
    expect(formatAgo(NOW - passed, NOW)).toBe(text);
  });

  it('is now when another machine’s clock is ahead', () => {
    expect(formatAgo(NOW + 30_000, NOW)).toBe('now');
  });
});

describe('how long until then', () => {
  it.each([
    [-1, 'now'],
    [0, 'now'],
    [12_000, 'in 12 s'],
    [58 * MINUTE + 30_000, 'in 58 min'],
  ])('%i ms reads %s', (left, text) => {
    expect(formatUntil(NOW + left, NOW)).toBe(text);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [80.4, '80 ms'],
    [3_200, '3.2 s'],
    [59_940, '59.9 s'],
    [59_960, '1m 00s'],
    [134_000, '2m 14s'],
    [3_900_000, '1h 05m'],
  ])('of %d ms reads %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('is a span in its largest whole unit', () => {
    expect(formatSpan(59_999)).toBe('59 s');
    expect(formatSpan(MINUTE)).toBe('1 min');
  });
});

describe('a time of the day', () => {
  it('stands alone today and has its date on any other day', () => {
    expect(formatClock(NOW - MINUTE, NOW)).toBe('02:29 PM');
    expect(formatClock(NOW - 24 * 60 * MINUTE, NOW)).toMatch(/May 2.*02:30 PM/);
  });
});
