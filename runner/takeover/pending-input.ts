import { write } from 'node:fs';
import { PENDING_INPUT_BYTES } from '../../protocol/terminal-frames.ts';
import { systemCodeOf } from '../failure.ts';

/** How long to wait when the program does not read, in ms: asking again at once would spin a core. */
const AGAIN_MS = 10;

/**
 * Keys on their way to a program, in order. A program that does not read costs no more than the
 * cap: what exceeds it is refused, and said.
 */
export class PendingInput {
  readonly #fd: number;
  readonly #capBytes: number;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #writing = false;
  #closed = false;

  constructor(fd: number, capBytes = PENDING_INPUT_BYTES) {
    this.#fd = fd;
    this.#capBytes = capBytes;
  }

  /** Takes bytes to write; answers how many of them it refused, which is all or none. */
  push(keys: Uint8Array): number {
    if (this.#closed || this.#bytes + keys.byteLength > this.#capBytes) return keys.byteLength;
    this.#waiting.push(Buffer.from(keys));
    this.#bytes += keys.byteLength;
    this.#write();
    return 0;
  }

  /** The terminal is gone: nothing is written any more. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#bytes = 0;
  }

  #write(): void {
    const [first] = this.#waiting;
    if (this.#writing || this.#closed || !first) return;
    this.#writing = true;
    write(this.#fd, first, 0, first.byteLength, null, (error, written) => {
      this.#writing = false;
      if (this.#closed) return;
      if (error) {
        const full = systemCodeOf(error) === 'EAGAIN';
        // Any other failure is the terminal's end, which its exit tells.
        return full ? void setTimeout(() => this.#write(), AGAIN_MS) : this.close();
      }
      this.#bytes -= written;
      if (written < first.byteLength) this.#waiting[0] = first.subarray(written);
      else this.#waiting.shift();
      this.#write();
    });
  }
}
