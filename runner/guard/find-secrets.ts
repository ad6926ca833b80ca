import { addRange, automatonOf, type Automaton, type Range } from './automaton.ts';
import { needlesOf, type Needle } from './needles.ts';
import { type NamedPattern, PatternMatcher } from './patterns/matcher.ts';
import type { Secret } from './secrets.ts';

export type Found = {
  /** What belongs to a secret: in order, none touching another's inside. */
  ranges: readonly Range[];
  /** From here on the text may be the beginning of a secret: its length when there is none. */
  openFrom: number;
  /** From here on it most likely is one, cut by whoever printed it; null when not. */
  suspect: { from: number; name: string } | null;
};

/**
 * A text that ends in this much of a secret's beginning was probably cut by a tool. Shorter
 * beginnings are shared by too many innocent words: `https://`, `sk-ant-`.
 */
const SUSPICIOUS_CHARS = 12;
/** Where a text is known to be cut, this much of a secret is not chance. */
const BESIDE_CUT_CHARS = 4;

/** Finds known values in every form that is looked for, and what the patterns match. */
export class SecretFinder {
  /** The longest form of any of them, in characters. What may yet become one is never longer. */
  readonly longest: number;
  readonly #needles: readonly Needle[];
  readonly #automaton: Automaton;
  readonly #patterns: PatternMatcher;

  constructor(secrets: readonly Secret[]) {
    this.#needles = needlesOf(secrets.filter(({ pattern }) => !pattern));
    this.#automaton = automatonOf(this.#needles);
    const patterns = secrets.filter(({ pattern }) => pattern);
    this.#patterns = matcherOf(patterns.map(({ name, value }) => ({ name, source: value })));
    this.longest = this.#needles.reduce(
      (most, { text }) => Math.max(most, text.length),
      this.#patterns.longest,
    );
  }

  /** `besideCut`: the text is known to end where something was left out. */
  find(text: string, besideCut = false): Found {
    const { ranges, openFrom, openName } = this.#automaton.scan(text);
    const matches = this.#patterns.scan(text);
    const least = besideCut ? BESIDE_CUT_CHARS : SUSPICIOUS_CHARS;
    const long = (from: number): boolean => text.length - from >= least;
    // A pattern without a beginning of its own begins with any word.
    const match = matches.open.find(
      ({ from, fixed }) => long(from) && (besideCut || fixed >= BESIDE_CUT_CHARS),
    );
    const value =
      openName !== null && long(openFrom) ? { from: openFrom, name: openName } : undefined;
    const suspect = !match || (value && value.from <= match.from) ? value : match;
    return {
      ranges: matches.ranges.length === 0 ? ranges : join([...ranges, ...matches.ranges]),
      openFrom: Math.min(openFrom, matches.open[0]?.from ?? openFrom),
      suspect: suspect ?? null,
    };
  }

  /** The longest beginning of a text that is the end of a secret, whose beginning was left out. */
  endAtStart(text: string): { length: number; name: string } | null {
    const start = text.slice(0, BESIDE_CUT_CHARS);
    if (start.length < BESIDE_CUT_CHARS) return null;
    const match = this.#patterns.endAtStart(text);
    let longest = match && match.length >= BESIDE_CUT_CHARS ? match : null;
    for (const { text: needle, name } of this.#needles) {
      for (let at = needle.indexOf(start); at >= 0; at = needle.indexOf(start, at + 1)) {
        const length = needle.length - at;
        if (length > (longest?.length ?? 0) && text.startsWith(needle.slice(at)))
          longest = { length, name };
      }
    }
    return longest;
  }
}

function join(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) addRange(joined, range);
  return joined;
}

let lastMatcher: { key: string; matcher: PatternMatcher } | null = null;

/** All sessions of a machine have the patterns of its limits, which change once in a while. */
function matcherOf(patterns: readonly NamedPattern[]): PatternMatcher {
  const key = JSON.stringify(patterns);
  if (lastMatcher?.key !== key) lastMatcher = { key, matcher: new PatternMatcher(patterns) };
  return lastMatcher.matcher;
}
