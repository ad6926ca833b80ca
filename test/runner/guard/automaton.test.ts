import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Automaton, automatonOf } from '../../../runner/guard/automaton.ts';

const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 40 });
const needles = fc
  .array(needle, { minLength: 1, maxLength: 6 })
  .map((texts) => texts.map((text) => ({ text, name: text })));
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'x'), maxLength: 120 });

/** Which characters belong to a needle, found the slow way. */
function coveredIn(whole: string, texts: readonly string[]): boolean[] {
  const covered = Array.from({ length: whole.length }, () => false);
  for (const each of texts) {
    for (let at = whole.indexOf(each); at >= 0; at = whole.indexOf(each, at + 1))
      covered.fill(true, at, at + each.length);
  }
  return covered;
}

describe('Automaton', () => {
  test('covers every character of every needle, and of short needles nothing else', () => {
    fc.assert(
      fc.property(needles, text, (looked, whole) => {
        const { ranges } = new Automaton(looked).scan(whole);
        const found = Array.from({ length: whole.length }, () => false);
        for (const { start, end } of ranges) found.fill(true, start, end);
        const expected = coveredIn(
          whole,
          looked.map((each) => each.text),
        );
        expect(expected.filter((inside, index) => inside && !found[index])).toEqual([]);
        // Of a needle longer than a key, a long beginning counts as well.
        const exact = looked.every((each) => each.text.length <= 24);
        expect(exact ? found : expected).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('gives ranges in order that do not overlap', () => {
    fc.assert(
      fc.property(needles, text, (looked, whole) => {
        const { ranges } = new Automaton(looked).scan(whole);
        for (const [index, range] of ranges.entries()) {
          expect(range.start).toBeGreaterThanOrEqual(ranges[index - 1]?.end ?? 0);
          expect(range.end).toBeGreaterThan(range.start);
        }
      }),
    );
  });

  test('knows from where on a text may become a needle', () => {
    fc.assert(
      fc.property(needles, text, (looked, whole) => {
        const { openFrom } = new Automaton(looked).scan(whole);
        const earliest = [...whole.split('').keys()].find((from) =>
          looked.some(
            (each) => each.text.startsWith(whole.slice(from)) && each.text !== whole.slice(from),
          ),
        );
        expect(openFrom).toBeLessThanOrEqual(earliest ?? whole.length);
      }),
    );
  });

  test('covers a needle that is longer than any key, and as much of it as there is', () => {
    const long = `secret-${'0123456789'.repeat(20)}`;
    const automaton = new Automaton([{ text: long, name: 'LONG' }]);
    expect(automaton.scan(`<${long}>`).ranges).toEqual([
      { start: 1, end: long.length + 1, name: 'LONG' },
    ]);
    expect(automaton.scan(`<${long.slice(0, 100)}…`).ranges).toEqual([
      { start: 1, end: 101, name: 'LONG' },
    ]);
    expect(automaton.scan(`<${long.slice(0, 100)}`)).toMatchObject({
      openFrom: 1,
      openName: 'LONG',
    });
  });

  test('is one for all sessions with the same secrets', () => {
    const same = [{ text: 'canary-value', name: 'A' }];
    expect(automatonOf(same)).toBe(automatonOf([...same]));
    expect(automatonOf(same)).not.toBe(automatonOf([{ text: 'canary-value', name: 'B' }]));
  });
});
