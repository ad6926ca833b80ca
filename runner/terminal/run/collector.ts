import { beginMark, endMark } from './scripts.ts';

/** Output that is kept of a command, in bytes: its beginning and its end. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 512 * 1024;
const BELL = 0x07;
/** No exit code has more digits. */
const CODE_BYTES = 10;

/**
 * Cuts a command's output out of all that its pane shows, between its two marks, in memory that
 * does not grow with it. Pure: chunks in, state out.
 */
export class Collector {
  readonly #begin: Buffer;
  readonly #end: Buffer;
  #state: 'before' | 'within' | 'after' = 'before';
  #rest: Buffer = Buffer.alloc(0);
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #omitted = 0;
  #exitCode: number | null = null;

  constructor(id: string) {
    this.#begin = Buffer.from(beginMark(id));
    this.#end = Buffer.from(endMark(id));
  }

  get begun(): boolean {
    return this.#state !== 'before';
  }

  /** Null until the end was seen. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  get omittedBytes(): number {
    return this.#omitted;
  }

  feed(chunk: Buffer): void {
    if (this.#state === 'after') return;
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#state === 'before') {
      const at = bytes.indexOf(this.#begin);
      if (at === -1) return this.#hold(bytes.subarray(-(this.#begin.length - 1)));
      this.#state = 'within';
      bytes = bytes.subarray(at + this.#begin.length);
    }
    const at = bytes.indexOf(this.#end);
    if (at === -1) {
      // A mark may be cut anywhere.
      const safe = Math.max(0, bytes.length - this.#end.length + 1);
      this.#take(bytes.subarray(0, safe));
      return this.#hold(bytes.subarray(safe));
    }
    const from = at + this.#end.length;
    const bell = bytes.indexOf(BELL, from);
    if (bell === -1 && bytes.length - from < CODE_BYTES) return this.#hold(bytes);
    this.#take(bytes.subarray(0, at));
    this.#hold(Buffer.alloc(0));
    this.#state = 'after';
    this.#exitCode = Number.parseInt(bytes.toString('latin1', from, bell), 10);
  }

  /** What was kept, in order. */
  read(): Buffer {
    return Buffer.concat([...this.#head, ...this.#tail]);
  }

  #hold(bytes: Buffer): void {
    this.#rest = Buffer.from(bytes);
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const room = Math.min(HEAD_BYTES - this.#headBytes, bytes.length);
    if (room > 0) {
      this.#head.push(Buffer.from(bytes.subarray(0, room)));
      this.#headBytes += room;
    }
    const later = bytes.subarray(room);
    if (later.length === 0) return;
    this.#tail.push(Buffer.from(later));
    this.#tailBytes += later.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= TAIL_BYTES) {
      const gone = this.#tail.shift()?.length ?? 0;
      this.#tailBytes -= gone;
      this.#omitted += gone;
    }
  }
}
