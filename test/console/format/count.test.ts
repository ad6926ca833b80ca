// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { formatTokens, plural } from '../../../console/format/count.ts';

describe('token counts', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1 K'],
    [9_400, '9.4 K'],
    [9_960, '10 K'],
    [790_000, '790 K'],
    [999_499, '999 K'],
    [999_500, '1 M'],
    [1_250_000, '1.3 M'],
    [48_000_000, '48 M'],
  ])('%i reads %s', (count, text) => {
    expect(formatTokens(count)).toBe(text);
  });
});

describe('a count with its word', () => {
  it('is singular for one thing only', () => {
    expect(plural(1, 'turn')).toBe('1 turn');
    expect(plural(0, 'turn')).toBe('0 turns');
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
    expect(plural(1_200, 'line')).toBe('1,200 lines');
  });
});
