import { type Compiled, compilePattern } from './compile.ts';
import { ASCII } from './expression.ts';
import type { Table } from './explore.ts';
import { endAtStart, endOfMatch } from './run.ts';

/** A pattern to look for, and what is shown in place of its matches. */
export type NamedPattern = { name: string; source: string };

/** Parts of a text, `end` excluded. */
type Part = { start: number; end: number; name: string };

export type PatternScan = {
  /** Every match that begins anywhere, the longest from each place: by where they begin. */
  ranges: Part[];
  /** Where matches begin that could go on behind the end of the text, by where they begin. */
  open: { from: number; name: string; fixed: number }[];
};

type Way = { table: Table; state: number; name: string; fixed: number };

/**
 * Looks for all patterns in one pass. At each place the two characters there decide whether any
 * of them can begin, which nearly always none can; else each is followed for as long as it goes,
 * which no pattern does for more than its own longest match.
 */
export class PatternMatcher {
  /** The longest that a match can stand in text, in characters; 0 without patterns. */
  readonly longest: number;
  readonly #ways: readonly Way[];
  /** By one character, and by two: 1 where a match can begin with them. */
  readonly #firsts = new Uint8Array(ASCII);
  readonly #begins = new Uint8Array(ASCII * ASCII);

  constructor(patterns: readonly NamedPattern[]) {
    const compiled = patterns.map(({ name, source }) => ({ name, ...compilePattern(source) }));
    this.longest = Math.max(0, ...compiled.map(({ longest }) => longest));
    this.#ways = compiled.flatMap(waysOf);
    for (const { table, state } of this.#ways) this.#allow(table, state);
  }

  #allow({ next, classOf, classes }: Table, state: number): void {
    for (let first = 0; first < ASCII; first++) {
      const then = next[state * classes + (classOf[first] as number)] as number;
      if (then === 0) continue;
      this.#firsts[first] = 1;
      for (let second = 0; second < ASCII; second++)
        if (next[then * classes + (classOf[second] as number)] !== 0)
          this.#begins[first * ASCII + second] = 1;
    }
  }

  scan(text: string): PatternScan {
    const found: PatternScan = { ranges: [], open: [] };
    if (this.#ways.length === 0 || text.length === 0) return found;
    const begins = this.#begins;
    const last = text.length - 1;
    let code = text.charCodeAt(0);
    for (let at = 0; at < last; at++) {
      const second = text.charCodeAt(at + 1);
      // Characters beyond ASCII give an index that no entry has, or one that is looked at in vain.
      if (begins[code * ASCII + second] === 1) this.#follow(text, at, found);
      code = second;
    }
    if (this.#firsts[code] === 1) this.#follow(text, last, found);
    return found;
  }

  #follow(text: string, start: number, found: PatternScan): void {
    for (const { table, state, name, fixed } of this.#ways) {
      const { end, open } = endOfMatch(table, state, text, start);
      if (end !== null) found.ranges.push({ start, end, name });
      if (open) found.open.push({ from: start, name, fixed });
    }
  }

  /** The longest beginning of a text that is the end of a match; null for none. */
  endAtStart(text: string): { length: number; name: string } | null {
    let longest: { length: number; name: string } | null = null;
    for (const { table, name } of this.#ways) {
      const length = endAtStart(table, text);
      if (length > (longest?.length ?? 0)) longest = { length, name };
    }
    return longest;
  }
}

const waysOf = ({ name, fixed, tables }: Compiled & { name: string }): Way[] =>
  tables.flatMap((table) => table.starts.map((state) => ({ table, state, name, fixed })));
