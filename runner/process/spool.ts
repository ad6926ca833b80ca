import { closeSync, fstatSync, openSync, readSync, watch, type FSWatcher } from 'node:fs';
import { LineSplitter, type Lines } from './lines.ts';

/** One read, and so one transaction: small enough that heartbeats pass between two of them. */
const CHUNK_BYTES = 256 * 1024;

/** For file systems whose watch says nothing; where it speaks, it is a thousand times faster. */
export const SPOOL_POLL_MS = 200;

const buffer = Buffer.allocUnsafe(CHUNK_BYTES);

/**
 * What a spool held beyond what was read, and the offset to continue at after these lines. `size`
 * is the file's, however much of it is read yet.
 */
export type SpoolChunk = Lines & { offset: number; full: boolean; size: number };

/**
 * Reads an engine's output file as it grows. The file is the engine's own stdout, so that the
 * engine outlives this process and its words wait for the next one.
 */
export class Spool {
  readonly path: string;
  readonly #fd: number;
  readonly #splitter: LineSplitter;
  #stopped = false;
  #readBytes: number;
  #watcher: FSWatcher | null = null;
  #poll: NodeJS.Timeout | null = null;

  /** Opens an existing spool at the end of the last line that was taken from it. */
  constructor(path: string, offset: number, maxLineBytes?: number) {
    this.path = path;
    this.#fd = openSync(path, 'r');
    this.#readBytes = offset;
    this.#splitter = new LineSplitter(maxLineBytes);
  }

  /** The end of the last whole line that was read. */
  get offset(): number {
    return this.#readBytes - this.#splitter.pendingBytes;
  }

  /** Calls `onGrown` when there may be more to read. */
  watch(onGrown: () => void): void {
    const poll = () => {
      this.#poll ??= setInterval(onGrown, SPOOL_POLL_MS).unref();
    };
    try {
      this.#watcher = watch(this.path, { persistent: false }, onGrown);
      this.#watcher.on('error', poll);
    } catch {
      // No watches left, or a file system without them: slower, and nothing is lost.
      poll();
    }
  }

  /** Reads up to one chunk; null when there is nothing new. `full` says that more may follow. */
  read(): SpoolChunk | null {
    if (this.#stopped) return null;
    const bytes = readSync(this.#fd, buffer, 0, CHUNK_BYTES, this.#readBytes);
    if (bytes === 0) return null;
    this.#readBytes += bytes;
    const { lines, skipped } = this.#splitter.push(buffer.subarray(0, bytes));
    const { size } = fstatSync(this.#fd);
    return { lines, skipped, offset: this.offset, full: bytes === CHUNK_BYTES, size };
  }

  /** After the writer's end: a last line without its newline, or null. */
  flush(): SpoolChunk | null {
    const line = this.#stopped ? null : this.#splitter.flush();
    if (line === null) return null;
    const offset = this.#readBytes;
    return { lines: [line], skipped: 0, offset, full: false, size: offset };
  }

  /** Leaves unread what is unread, for a file that grows faster than anybody reads. */
  stop(): void {
    this.#stopped = true;
  }

  close(): void {
    this.#watcher?.close();
    if (this.#poll) clearInterval(this.#poll);
    closeSync(this.#fd);
  }
}

/** The whole lines of a spool before `end` bytes, read again from its beginning. */
export function* linesOf(path: string, end: number): Generator<string> {
  const spool = new Spool(path, 0);
  try {
    while (spool.offset < end) {
      const chunk = spool.read();
      if (!chunk) return;
      yield* chunk.lines;
    }
  } finally {
    spool.close();
  }
}
