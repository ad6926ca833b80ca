/** What a line, or a file that it runs, asks more of its reader than any honest one does. */
export class TooMuch extends Error {
  constructor() {
    super('it is longer or deeper than is read');
    this.name = 'TooMuch';
  }
}

/** One unit is about one character that is looked at: honest lines need some thousands of them. */
const MAX_UNITS = 8_000_000;
/** Generated scripts set hundreds of variables, and each of their subshells has all of them. */
const MAX_LONG_UNITS = 64_000_000;
/** Of work, several times what all units take; looked at whenever that many units are spent. */
const MAX_MS = 500;
const UNITS_A_LOOK = 10_000;
/** Most commands that are looked at: functions that call each other could go on for ever. */
const MAX_COMMANDS = 20_000;

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

/** What is left of what reading may cost. */
class Allowance {
  units: number;
  nextLook: number;
  commands = MAX_COMMANDS;
  nodes = MAX_NODES;
  chars = MAX_LITERAL_CHARS;
  ms = MAX_MS;

  constructor(units: number) {
    this.units = units;
    this.nextLook = units - UNITS_A_LOOK;
  }
}

/**
 * The reading of one command line, with all that it looks through. A session writes what is read
 * here and the runner waits for it, so all parts of it share one allowance. Past it, it throws.
 */
export class Reading {
  /** What files set, and by which name: none of it is told to anybody. */
  readonly hidden = new Map<string, string>();
  readonly #now: () => number;
  readonly #line = new Allowance(MAX_UNITS);
  /** What all long files of the line have together. */
  readonly #long = new Allowance(MAX_LONG_UNITS);
  #left = this.#line;
  #since: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  spend(units: number): void {
    const left = this.#left;
    left.units -= units;
    if (left.units < 0) throw new TooMuch();
    if (left.units > left.nextLook) return;
    left.nextLook = left.units - UNITS_A_LOOK;
    this.#takeTime();
    if (left.ms < 0) throw new TooMuch();
  }

  #takeTime(): void {
    const now = this.#now();
    this.#left.ms -= now - this.#since;
    this.#since = now;
  }

  /** What the process does once for all lines is not held against this one. */
  rest<T>(work: () => T): T {
    this.#takeTime();
    const result = work();
    this.#since = this.#now();
    return result;
  }

  /**
   * Reads a long file. All that a line runs have an allowance beside the line's: what they come to
   * is no reason to leave the line. False: this one came to more than is left of it.
   */
  aside(work: () => void): boolean {
    const around = this.#left;
    this.#takeTime();
    this.#left = this.#long;
    try {
      this.spend(1);
      work();
      return true;
    } catch (error) {
      // In a long file that another one runs it is the outer one that is read no further.
      if (!(error instanceof TooMuch) || around === this.#long) throw error;
      return false;
    } finally {
      this.#takeTime();
      this.#left = around;
    }
  }

  takeCommand(): void {
    this.#left.commands -= 1;
    if (this.#left.commands <= 0) throw new TooMuch();
  }

  /** Whether one more node of a literal may be read. */
  takeNode(): boolean {
    const left = this.#left;
    left.nodes -= 1;
    return left.nodes >= 0 && left.chars >= 0;
  }

  /** Whether that much text may still be put together from literals. */
  takeText(chars: number): boolean {
    this.#left.chars -= chars;
    return this.#left.chars >= 0;
  }

  hide(name: string, value: string): void {
    const least = SECRET_NAME.test(name.slice(0, 200)) ? MIN_SECRET : MIN_HIDDEN;
    if (value.length >= least) this.hidden.set(value, name);
  }
}
