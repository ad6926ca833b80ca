/** What a line, or a file that it runs, asks more of its reader than any honest one does. */
export class TooMuch extends Error {
  constructor() {
    super('it is longer or deeper than is read');
    this.name = 'TooMuch';
  }
}

/** One unit is about one character that is looked at: honest lines need some thousands of them. */
const MAX_UNITS = 8_000_000;
/** Of work, several times what all units take; looked at whenever that many units are spent. */
const MAX_MS = 500;
const UNITS_A_LOOK = 10_000;

/** What the process has worked: on a busy machine a line waits, and is no more hostile for that. */
export const workedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
/** What is put together from the literals of programs: their nodes, and the characters of it. */
const MAX_NODES = 4_096;
const MAX_LITERAL_CHARS = 64 * 1024;
/** A shorter value says little, and words such as `main` are not worth hiding. */
const MIN_HIDDEN = 6;
const MIN_SECRET = 3;
const SECRET_NAME = /token|auth|passw?d?|secret|key|cred/i;

/**
 * The reading of one command line, with all that it looks through. A session writes what is read
 * here and the runner waits for it, so all parts of it share one allowance. Past it, it throws.
 */
export class Reading {
  /** What files set, and by which name: none of it is told to anybody. */
  readonly hidden = new Map<string, string>();
  readonly #now: () => number;
  readonly #startedAt: number;
  #units = MAX_UNITS;
  #nextLook = MAX_UNITS - UNITS_A_LOOK;
  #nodes = MAX_NODES;
  #chars = MAX_LITERAL_CHARS;
  #rested = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  spend(units: number): void {
    this.#units -= units;
    if (this.#units < 0) throw new TooMuch();
    if (this.#units > this.#nextLook) return;
    this.#nextLook = this.#units - UNITS_A_LOOK;
    if (this.#now() - this.#startedAt - this.#rested > MAX_MS) throw new TooMuch();
  }

  /** What the process does once for all lines is not held against this one. */
  rest<T>(work: () => T): T {
    const from = this.#now();
    const result = work();
    this.#rested += this.#now() - from;
    return result;
  }

  /** Whether one more node of a literal may be read. */
  takeNode(): boolean {
    this.#nodes -= 1;
    return this.#nodes >= 0 && this.#chars >= 0;
  }

  /** Whether that much text may still be put together from literals. */
  takeText(chars: number): boolean {
    this.#chars -= chars;
    return this.#chars >= 0;
  }

  hide(name: string, value: string): void {
    const least = SECRET_NAME.test(name.slice(0, 200)) ? MIN_SECRET : MIN_HIDDEN;
    if (value.length >= least) this.hidden.set(value, name);
  }
}
