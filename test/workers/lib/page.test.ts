import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf, pageFrom, parseCursor } from '../../../workers/lib/page.ts';

describe('a page', () => {
  it('has a cursor exactly when there is more', () => {
    const keyOf = (row: number) => [row];
    expect(pageFrom([1, 2, 3], 2, keyOf)).toEqual({ items: [1, 2], nextCursor: '2' });
    expect(pageFrom([1, 2], 2, keyOf)).toEqual({ items: [1, 2], nextCursor: null });
    expect(pageFrom([], 2, keyOf)).toEqual({ items: [], nextCursor: null });
  });

  it('gives a cursor that reads back as its key', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), fc.integer({ min: 0 }), (at, tie) => {
        const { nextCursor } = pageFrom(
          [
            [at, tie],
            [0, 0],
          ] as const,
          1,
          (row) => row,
        );
        const [first, second] = parseCursor(nextCursor ?? undefined, 2);
        expect([numberOf(first), numberOf(second)]).toEqual([at, tie]);
      }),
    );
  });

  it.each([
    ['a', 2],
    ['a~', 2],
    ['a~b~c', 2],
    ['~', 2],
  ])('refuses the cursor %j', (cursor, parts) => {
    expect(() => parseCursor(cursor, parts)).toThrow(/nextCursor/);
  });

  it.each([undefined, 'x', '1.5', 'Infinity'])('refuses %j where a number belongs', (part) => {
    expect(() => numberOf(part)).toThrow(/nextCursor/);
  });
});
