import { OUTPUT_WINDOW_BYTES } from '../../protocol/terminal-frames.ts';

/** Below this much unseen output a viewer that fell behind is shown the screen again: bytes. */
const CAUGHT_UP_BYTES = OUTPUT_WINDOW_BYTES / 4;

/**
 * How one viewer of a terminal keeps up. It is sent output while it shows what it gets; one that
 * falls behind is sent nothing until it has, and then the screen as it is. Pure.
 */
export class ViewerFlow {
  #state: 'waiting' | 'asked' | 'live' | 'behind' = 'waiting';
  #unseen = 0;

  /** Whether the screen has to be asked for now; says yes once, and again after `reset`. */
  wantsScreen(): boolean {
    if (this.#state !== 'waiting') return false;
    this.#state = 'asked';
    return true;
  }

  /** Whether output of so many bytes is to be sent. */
  takes(bytes: number): boolean {
    if (this.#state !== 'live') return false;
    if (this.#unseen + bytes > OUTPUT_WINDOW_BYTES) {
      this.#state = 'behind';
      return false;
    }
    this.#unseen += bytes;
    return true;
  }

  /** It has the screen; output after it follows. */
  shown(): void {
    if (this.#state === 'asked') this.#state = 'live';
  }

  /** It has shown so many bytes. */
  acked(bytes: number): void {
    this.#unseen = Math.max(0, this.#unseen - bytes);
    if (this.#state === 'behind' && this.#unseen <= CAUGHT_UP_BYTES) this.#state = 'waiting';
  }

  /** The machine's terminal is another one, or is gone: what follows begins with its screen. */
  reset(): void {
    this.#state = 'waiting';
  }
}
