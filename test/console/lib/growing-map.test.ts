// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { GrowingMap } from '../../../console/lib/growing-map.ts';

/** Adds so many keys at once, again and again, and gives each map that there was. */
function grow(sizes: readonly number[]): GrowingMap<number>[] {
  const maps = [new GrowingMap<number>()];
  for (const size of sizes) {
    const last = maps.at(-1) ?? new GrowingMap<number>();
    const from = last.size;
    const added = Array.from({ length: size }, (_, at) => [`k${from + at}`, from + at] as const);
    maps.push(last.with(new Map(added)));
  }
  return maps;
}

describe('a map that only grows', () => {
  it('has what was added, in whatever pieces, and every earlier one what it had', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 20 }), (sizes) => {
        let size = 0;
        for (const [step, map] of grow(sizes).entries()) {
          size += step === 0 ? 0 : (sizes[step - 1] ?? 0);
          expect(map.size).toBe(size);
          for (let key = 0; key < size; key++) expect(map.get(`k${key}`)).toBe(key);
          expect(map.has(`k${size}`)).toBe(false);
          expect(map.get(`k${size}`)).toBeUndefined();
        }
      }),
    );
  });

  it('copies each of 4,096 keys that come one by one a few times and not thousands of times', () => {
    let copied = 0;
    const { entries } = Map.prototype;
    const iterated = vi.spyOn(Map.prototype, Symbol.iterator);
    iterated.mockImplementation(function count(this: Map<unknown, unknown>) {
      copied += this.size;
      return entries.call(this);
    });
    grow(Array.from({ length: 4_096 }, () => 1));
    iterated.mockRestore();
    expect(copied / 4_096).toBeLessThan(20);
  });
});
