/** The system's timers stand still while it sleeps, and none is longer than 24 days. */
const LOOK_MS = 60_000;

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
    if (wakeAt !== null) this.#wait(wakeAt);
  }

  #wait(wakeAt: number): void {
    const leftMs = Math.max(0, wakeAt - this.#now());
    this.#timer = setTimeout(
      () => {
        if (leftMs > LOOK_MS) return this.#wait(wakeAt);
        this.#wakeAt = null;
        this.#onWake();
      },
      Math.min(leftMs, LOOK_MS),
    );
  }
}
