/** Lines longer than this are skipped and counted: no engine's protocol has such a line. */
export const LINE_MAX_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Whole lines of a chunk. `skipped` counts those that were longer than the bound. */
export type Lines = { lines: string[]; skipped: number };

/**
 * Cuts a byte stream into lines. What it holds back is bounded, and `pendingBytes` says how much
 * of what it was given belongs to a line that has not ended: a reader that starts again goes back
 * by exactly that.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #pendingBytes = 0;
  #oversize = false;

  constructor(maxBytes = LINE_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  push(chunk: Buffer): Lines {
    const lines: string[] = [];
    let skipped = 0;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#finish(chunk.subarray(start, end));
      if (line === null) skipped += 1;
      else lines.push(line);
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return { lines, skipped };
  }

  /** The last line of a stream that ended without a newline, or null when there is none. */
  flush(): string | null {
    const line = this.#finish(EMPTY);
    return line || null;
  }

  #finish(rest: Buffer): string | null {
    const oversize = this.#oversize || this.#pendingBytes + rest.length > this.#maxBytes;
    const text = oversize
      ? null
      : decode(this.#held.length ? Buffer.concat([...this.#held, rest]) : rest);
    this.#held = [];
    this.#pendingBytes = 0;
    this.#oversize = false;
    return text;
  }

  #hold(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#pendingBytes += rest.length;
    if (this.#oversize || this.#pendingBytes > this.#maxBytes) {
      this.#oversize = true;
      this.#held = [];
    } else {
      // The chunk's buffer is read into again; what is held must be a copy.
      this.#held.push(Buffer.from(rest));
    }
  }
}

const EMPTY = Buffer.alloc(0);

function decode(line: Buffer): string {
  const end = line.length > 0 && line[line.length - 1] === 0x0d ? line.length - 1 : line.length;
  return line.toString('utf8', 0, end);
}
