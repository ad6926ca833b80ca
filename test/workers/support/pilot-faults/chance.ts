/**
 * Draws of one seed, each of a named series: what one part of a run draws does not change what
 * another one is given, however the two happen to be interleaved.
 */
export class Chance {
  readonly #seed: number;
  readonly #drawn = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The next number of a series, in [0, 1). */
  next(series: string): number {
    const count = (this.#drawn.get(series) ?? 0) + 1;
    this.#drawn.set(series, count);
    return hash(`${this.#seed} ${series} ${count}`);
  }

  /** Whether something of this likelihood happens now. */
  happens(series: string, likelihood: number): boolean {
    return this.next(series) < likelihood;
  }

  /** A whole number from `least` to `most`, both included. */
  between(series: string, least: number, most: number): number {
    return least + Math.floor(this.next(series) * (most - least + 1));
  }

  /** One of these. */
  one<T>(series: string, of: readonly [T, ...(readonly T[])]): T {
    return of[this.between(series, 0, of.length - 1)] ?? of[0];
  }
}

/** FNV-1a with the finish of murmur3, as a part of one. */
function hash(text: string): number {
  let mixed = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
}
