import { PENDING_INPUT_BYTES } from '../../protocol/terminal-frames.ts';

/**
 * What a new driver types before this machine has heard of its lease: the words come by another
 * connection than the command, and may be faster. They wait, in order, for the lease that they
 * came under; of another one they are nobody's.
 */
export class AheadOfLease {
  #held: { epoch: number; keys: Uint8Array }[] = [];
  #bytes = 0;

  /** Holds keys back; answers how many bytes it refused, which is all or none. */
  hold(epoch: number, keys: Uint8Array): number {
    if (this.#bytes + keys.byteLength > PENDING_INPUT_BYTES) return keys.byteLength;
    this.#held.push({ epoch, keys: Uint8Array.from(keys) });
    this.#bytes += keys.byteLength;
    return 0;
  }

  /** Takes what came under this lease, and forgets what came under an earlier one. */
  take(epoch: number): Uint8Array[] {
    const now = this.#held.filter((held) => held.epoch === epoch).map(({ keys }) => keys);
    this.#held = this.#held.filter((held) => held.epoch > epoch);
    this.#bytes = this.#held.reduce((sum, { keys }) => sum + keys.byteLength, 0);
    return now;
  }

  clear(): void {
    this.#held = [];
    this.#bytes = 0;
  }
}
