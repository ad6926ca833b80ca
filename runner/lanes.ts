/** Work in order for each key, and for no key behind another: one that is slow delays itself. */
export class Lanes<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Runs `work` once everything asked before under this key is done, well or badly. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const done = this.#after(this.#last.get(key), work);
    this.#last.set(key, done);
    void this.#forget(key, done);
    return done;
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    // A failure is for whoever asked for it; the lane goes on.
    if (before) await Promise.allSettled([before]);
    return work();
  }

  async #forget(key: Key, done: Promise<unknown>): Promise<void> {
    await Promise.allSettled([done]);
    if (this.#last.get(key) === done) this.#last.delete(key);
  }
}
