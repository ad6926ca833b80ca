import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PatternMatcher } from '../../../../runner/guard/patterns/matcher.ts';

const SOURCES = [
  'k-[ab]{6,9}',
  '(?:ab-|b-){4}c?',
  'x:"[^"]{5,7}"',
  'a%b[%4]{5}',
  'ab[ab]{3}-[ab]{0,2}(?:bb|c)a{2}',
];
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b', 'c', '-', ' ', 'k-', '%', '4', 'x:"', '"', 'é', '/', 'ab-', 'b-'),
      fc.constantFrom('k-abab', 'x:"abcab', 'a%b%%', 'abaab-'),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

const isAscii = (part: string): boolean => Array.from(part).every((each) => each < '\x80');
const matcherOf = (source: string) => new PatternMatcher([{ name: 'P', source }]);
const covered = (length: number, parts: readonly { start: number; end: number }[]): boolean[] => {
  const found = Array.from({ length }, () => false);
  for (const { start, end } of parts) found.fill(true, start, end);
  return found;
};

/** Every part of a text that a pattern, which is about ASCII, matches: by JavaScript's own engine and the slow way. */
function matchesIn(source: string, whole: string) {
  const exact = new RegExp(`^(?:${source})$`);
  const places = Array.from(whole, (_, index) => index);
  return places.flatMap((start) =>
    places
      .map((at) => ({ start, end: at + 1 }))
      .filter(({ end }) => end > start && isAscii(whole.slice(start, end)))
      .filter(({ start: from, end }) => exact.test(whole.slice(from, end))),
  );
}

/** What the matcher covers, told apart from what only an encoded form explains. */
const plainly = (whole: string): boolean => !/%[0-7][0-9a-f]|\\/i.test(whole);

describe('PatternMatcher', () => {
  test('covers what any part of the text matches, and nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), text, (source, whole) => {
        // A plus stands for a space in forms, and base64 reads what is all letters.
        fc.pre(plainly(whole));
        const found = covered(whole.length, matcherOf(source).scan(whole).ranges);
        expect(found).toEqual(covered(whole.length, matchesIn(source, whole)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('finds a match in every form that values are looked for in, wherever it stands', () => {
    const secret = fc
      .tuple(
        fc.string({
          unit: fc.constantFrom('a', '"', '\\', '/', ' ', '+', '%', 'Z'),
          minLength: 6,
          maxLength: 9,
        }),
      )
      .map(([inner]) => `k-${inner}-k`);
    const around = fc.string({ maxLength: 8 });
    const twice = (each: string) => JSON.stringify(JSON.stringify(each)).slice(3, -3);
    const forms: ((before: string, secret: string, after: string) => [string, string])[] = [
      (b, s, a) => [b + s + a, s],
      (b, s, a) => [JSON.stringify(b + s + a), JSON.stringify(s).slice(1, -1)],
      (b, s, a) => [JSON.stringify(JSON.stringify(b + s + a)), twice(s)],
      (b, s, a) => [encodeURIComponent(b + s + a), encodeURIComponent(s)],
      (b, s, a) => [
        new URLSearchParams({ b, s, a }).toString(),
        new URLSearchParams([['', s]]).toString().slice(1),
      ],
    ];
    const matcher = matcherOf('k-[^\\n]{6,9}-k');
    fc.assert(
      fc.property(
        secret,
        around,
        around,
        fc.constantFrom(...forms),
        (value, before, after, form) => {
          fc.pre(before.isWellFormed() && after.isWellFormed());
          const [whole, inside] = form(before, value, after);
          const at = whole.indexOf(inside);
          const found = covered(whole.length, matcher.scan(whole).ranges);
          expect(found.slice(at, at + inside.length)).toEqual(Array.from(inside, () => true));
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([0, 1, 2, 3, 4])('leaves nothing of it in base64 behind %i other bytes', (before) => {
    const matcher = matcherOf('ghp_[A-Za-z0-9]{16}');
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${'?'.repeat(before)}ghp_Ab1Cd2Ef3Gh4Ij5K~~~`).toString(encoding);
      const [range] = matcher.scan(text).ranges;
      // Every bit of the twenty bytes, and at most the bits that share a letter with them.
      expect(range?.start).toBe(Math.floor((before * 8) / 6));
      expect(range?.end).toBe(Math.ceil(((before + 20) * 8) / 6));
    }
  });

  test('knows where a match may go on behind the end, and only there', () => {
    const matcher = matcherOf('ghp_[A-Za-z0-9]{16}');
    // The last letter may hold the first bits of one in base64.
    expect(matcher.scan('a ghp_Ab1').open).toMatchObject([{ from: 2, fixed: 4 }, { from: 8 }]);
    expect(matcher.scan('a ghp_Ab1 ').open).toEqual([]);
    expect(matcher.scan('a ghp_Ab1Cd2Ef3Gh4Ij5.').open).toEqual([]);
    expect(matcher.scan('a %67h').open[0]).toMatchObject({ from: 2 });
  });

  test('knows the end of a match whose beginning was left out', () => {
    const matcher = matcherOf('ghp_[A-Za-z0-9]{16}');
    expect(matcher.endAtStart('2Ef3Gh4Ij5 and more')).toEqual({ length: 10, name: 'P' });
    expect(matcher.endAtStart(' and more')).toBeNull();
  });
});
