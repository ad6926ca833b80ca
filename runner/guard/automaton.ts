import { createHash } from 'node:crypto';
import type { Needle } from './needles.ts';

/** A part of a text, `end` excluded, that belongs to a secret. */
export type Range = { start: number; end: number; name: string };

export type Scan = {
  /** Everything of the text that belongs to a needle: in order, none touching another's inside. */
  ranges: Range[];
  /** From here on the text may be the beginning of a needle: its length when there is none. */
  openFrom: number;
  openName: string | null;
};

/** More of a needle is compared directly, so that a long key costs no more states than this. */
const KEY_CHARS = 24;

/** Keys are nearly always ASCII: the rest goes through a map, so that the table stays small. */
const ASCII = 128;

/**
 * Finds all needles in one pass (Aho and Corasick, "Efficient string matching", 1975). The states
 * of the trie are rows of one table, indexed by class of character: class 0 is any character
 * that no needle holds.
 */
export class Automaton {
  readonly #needles: readonly Needle[];
  readonly #classOf = new Uint16Array(ASCII);
  readonly #otherClasses = new Map<number, number>();
  readonly #classes: number;
  readonly #next: Int32Array | Uint16Array;
  readonly #depth: Int32Array;
  /** Of each state: the needles whose key ends here, as indices. */
  readonly #ends: (readonly number[] | null)[];
  /** Of each state: one needle that begins with the state's characters, for its name. */
  readonly #example: Int32Array;

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
    this.#classes = this.#classify();
    const states = 1 + needles.reduce((sum, { text }) => sum + Math.min(text.length, KEY_CHARS), 0);
    // There is one automaton for each set of secrets, and it lives as long as its sessions.
    const Row = states > 65_535 ? Int32Array : Uint16Array;
    this.#next = new Row(states * this.#classes);
    this.#depth = new Int32Array(states);
    this.#example = new Int32Array(states);
    this.#ends = Array.from({ length: states }, () => null);
    this.#link(this.#plant());
  }

  #classify(): number {
    let classes = 1;
    for (const { text } of this.#needles) {
      for (let i = 0; i < Math.min(text.length, KEY_CHARS); i++) {
        const code = text.charCodeAt(i);
        if (this.#classFor(code) !== 0) continue;
        if (code < ASCII) this.#classOf[code] = classes++;
        else this.#otherClasses.set(code, classes++);
      }
    }
    return classes;
  }

  #classFor(code: number): number {
    return (code < ASCII ? this.#classOf[code] : this.#otherClasses.get(code)) ?? 0;
  }

  /** Writes the trie and returns how many states it has. */
  #plant(): number {
    let count = 1;
    for (const [index, { text }] of this.#needles.entries()) {
      let state = 0;
      for (let i = 0; i < Math.min(text.length, KEY_CHARS); i++) {
        const edge = state * this.#classes + this.#classFor(text.charCodeAt(i));
        let child = this.#next[edge] ?? 0;
        if (child === 0) {
          child = count++;
          this.#next[edge] = child;
          this.#depth[child] = i + 1;
          this.#example[child] = index;
        }
        state = child;
      }
      this.#ends[state] = [...(this.#ends[state] ?? []), index];
    }
    return count;
  }

  /** Breadth first: completes every row with what its longest proper suffix would do. */
  #link(count: number): void {
    const fail = new Int32Array(count);
    const queue: number[] = [0];
    for (let head = 0; head < queue.length; head++) {
      const state = queue[head] ?? 0;
      const suffix = fail[state] ?? 0;
      const inherited = state === 0 ? null : this.#ends[suffix];
      if (inherited) this.#ends[state] = [...(this.#ends[state] ?? []), ...inherited];
      for (let of = 0; of < this.#classes; of++) {
        const edge = state * this.#classes + of;
        const child = this.#next[edge] ?? 0;
        const fallback = state === 0 ? 0 : (this.#next[suffix * this.#classes + of] ?? 0);
        if (child === 0) {
          this.#next[edge] = fallback;
        } else {
          fail[child] = fallback;
          queue.push(child);
        }
      }
    }
  }

  /** Looks through a whole text. */
  scan(text: string): Scan {
    const next = this.#next;
    const classOf = this.#classOf;
    const others = this.#otherClasses;
    const classes = this.#classes;
    const ends = this.#ends;
    const found: Range[] = [];
    let state = 0;
    let openFrom = text.length;
    let openName: string | null = null;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const of = code < ASCII ? (classOf[code] as number) : (others.get(code) ?? 0);
      state = next[state * classes + of] as number;
      const ending = ends[state];
      if (ending === null || ending === undefined) continue;
      for (const index of ending) {
        const range = this.#extend(text, i + 1, index);
        addRange(found, range);
        if (range.end === text.length && range.partial && range.start < openFrom) {
          openFrom = range.start;
          openName = range.name;
        }
      }
    }
    const depth = this.#depth[state] ?? 0;
    if (depth > 0 && text.length - depth < openFrom) {
      openFrom = text.length - depth;
      openName = this.#needles[this.#example[state] ?? 0]?.name ?? null;
    }
    return { ranges: found, openFrom, openName };
  }

  /** Follows a needle from the end of its key as far as the text does. */
  #extend(text: string, keyEnd: number, index: number): Range & { partial: boolean } {
    const needle = this.#needles[index];
    if (!needle) throw new RangeError(`no needle ${index}`);
    const key = Math.min(needle.text.length, KEY_CHARS);
    const start = keyEnd - key;
    let length = key;
    while (length < needle.text.length && text[start + length] === needle.text[length]) length++;
    return { start, end: start + length, name: needle.name, partial: length < needle.text.length };
  }
}

/** Joins a range with those it overlaps, so that no part of either is left between them. */
export function addRange(ranges: Range[], { start, end, name }: Range): void {
  let joined: Range = { start, end, name };
  for (let last = ranges.at(-1); last && last.end > joined.start; last = ranges.at(-1)) {
    const longer = last.end - last.start >= joined.end - joined.start ? last : joined;
    joined = {
      start: Math.min(last.start, joined.start),
      end: Math.max(last.end, joined.end),
      name: longer.name,
    };
    ranges.pop();
  }
  ranges.push(joined);
}

const shared = new Map<string, WeakRef<Automaton>>();

/**
 * The automaton of these needles: sessions of one machine mostly have the same secrets, and fifty
 * of them need one table. It is forgotten with the last session that holds it.
 */
export function automatonOf(needles: readonly Needle[]): Automaton {
  const key = createHash('sha256').update(JSON.stringify(needles)).digest('base64');
  const known = shared.get(key)?.deref();
  if (known) return known;
  for (const [each, reference] of shared) if (!reference.deref()) shared.delete(each);
  const made = new Automaton(needles);
  shared.set(key, new WeakRef(made));
  return made;
}
