import { posix } from 'node:path';
import { TooMuch } from './reading.ts';
import type { Argument } from './types.ts';

/**
 * Reads a file that a command line would run, by its path as the line says it (from where the line
 * begins, or absolute). Null: it is not there, not to be looked at, or too much.
 */
export type Look = (path: string) => string | null;

/** Looks at nothing. */
export const BLIND: Look = () => null;

const MAX_FILES = 64;
const MAX_CHARS = 256 * 1024;

/** What one command line can show of the files that it runs: what it wrote itself, and what lies there. */
export class Sight {
  readonly #look: Look;
  /** By path, what the line wrote there; null where it wrote what cannot be seen. */
  readonly #written = new Map<string, Argument | null>();
  #files = MAX_FILES;
  #chars = MAX_CHARS;

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
   * `TooMuch` where the line runs more files, or longer ones together, than are read.
   */
  open(at: Argument, file: Argument): Opened | null {
    const path = joinAt(at, file);
    const written = this.#written.get(path.text);
    if (written !== undefined) return written && this.#count({ ...written, read: null });
    if (!path.certain || /[$`…*?]/.test(path.text)) return null;
    this.#files -= 1;
    if (this.#files < 0) throw new TooMuch();
    const text = this.#look(path.text);
    return text === null ? null : this.#count({ text, certain: true, read: path.text });
  }

  #count(opened: Opened): Opened {
    this.#chars -= opened.text.length;
    if (this.#chars < 0) throw new TooMuch();
    return opened;
  }
}

export type Opened = Argument & { read: string | null };

/** Where a path leads from a directory of the line; text that cannot be seen stays as it is written. */
export function joinAt(at: Argument, path: Argument): Argument {
  const rooted = /^[/~$]/.test(path.text);
  return {
    text: posix.normalize(rooted ? path.text : posix.join(at.text, path.text)),
    certain: path.certain && !path.text.startsWith('~') && (rooted || at.certain),
  };
}
