/** One timer that is set to a moment, again and again; only the latest moment counts. */
export class WakeTimer {
  readonly #now: () => number;
  readonly #onWake: () => void;
  #timer: NodeJS.Timeout | null = null;
  #wakeAt: number | null = null;

  constructor(now: () => number, onWake: () => void) {
    this.#now = now;
    this.#onWake = onWake;
  }

  /** Wakes at `wakeAt` (Unix ms) and at no moment set before; null: not at all. */
  set(wakeAt: number | null): void {
    if (wakeAt === this.#wakeAt) return;
    this.#wakeAt = wakeAt;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (wakeAt === null) return;
    this.#timer = setTimeout(
      () => {
        this.#wakeAt = null;
        this.#onWake();
      },
      Math.max(0, wakeAt - this.#now()),
    );
  }
}
