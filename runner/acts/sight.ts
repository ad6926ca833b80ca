import { posix } from 'node:path';
import { TooMuch } from './reading.ts';
import type { Argument } from './types.ts';

/** What a file holds; not `whole` where that is its beginning alone. */
export type Seen = { text: string; whole: boolean };

/**
 * Reads a file that a command line would run, by its path as the line says it (from where the line
 * begins, or absolute). Null: it is not there, or not to be looked at.
 */
export type Look = (path: string) => Seen | null;

/** Looks at nothing. */
export const BLIND: Look = () => null;

const MAX_FILES = 64;
const MAX_CHARS = 256 * 1024;
/** A longer file, as built programs are, is read in its parts, and does not count among the others. */
const LONG_CHARS = 64 * 1024;
const MAX_LONG_CHARS = 8 * 1024 ** 2;

/** What one command line can show of the files that it runs: what it wrote itself, and what lies there. */
export class Sight {
  readonly #look: Look;
  /** By path, what the line wrote there; null where it wrote what cannot be seen. */
  readonly #written = new Map<string, Argument | null>();
  #files = MAX_FILES;
  #chars = MAX_CHARS;
  #longChars = MAX_LONG_CHARS;

  constructor(look: Look) {
    this.#look = look;
  }

  /** Notes what the line puts into a file; null is something that cannot be seen. */
  write(at: Argument, file: Argument, text: Argument | null, appends: boolean): void {
    const path = joinAt(at, file).text;
    const before = appends ? this.#written.get(path) : undefined;
    if (!text || (appends && !before)) this.#written.set(path, null);
    else
      this.#written.set(path, {
        text: `${before?.text ?? ''}${text.text}\n`,
        certain: text.certain && (before?.certain ?? true),
      });
  }

  /**
   * What a file holds when the line comes to it; `read` where it is as it lies there. Throws
   * `TooMuch` where the line runs more files, or longer ones together, than are read; of a long one
   * nothing is shown then, which is said.
   */
  open(at: Argument, file: Argument): Opened | null {
    const path = joinAt(at, file);
    const written = this.#written.get(path.text);
    if (written !== undefined) {
      if (!written) return null;
      this.#count(written.text);
      return { ...written, read: null, whole: true, long: false };
    }
    if (!path.certain || /[$`…*?]/.test(path.text)) return null;
    this.#files -= 1;
    if (this.#files < 0) throw new TooMuch();
    const seen = this.#look(path.text);
    if (!seen) return null;
    const long = !seen.whole || seen.text.length > LONG_CHARS;
    if (!long) this.#count(seen.text);
    else this.#longChars -= seen.text.length;
    const left = !long || this.#longChars >= 0;
    return {
      text: left ? seen.text : '',
      certain: true,
      read: path.text,
      whole: seen.whole && left,
      long,
    };
  }

  #count(text: string): void {
    this.#chars -= text.length;
    if (this.#chars < 0) throw new TooMuch();
  }
}

/** A file that a line runs. `read`: its path, where it is as it lies there. */
export type Opened = Argument & {
  read: string | null;
  /** Nothing of it is left out. */
  whole: boolean;
  /** It is to be read in its parts. */
  long: boolean;
};

/** Where a path leads from a directory of the line; text that cannot be seen stays as it is written. */
export function joinAt(at: Argument, path: Argument): Argument {
  const rooted = /^[/~$]/.test(path.text);
  return {
    text: posix.normalize(rooted ? path.text : posix.join(at.text, path.text)),
    certain: path.certain && !path.text.startsWith('~') && (rooted || at.certain),
  };
}
