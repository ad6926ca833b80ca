/** Work that may go on side by side, and work that needs everything else to be over. */
export class Turns {
  #beside = 0;
  #alone: Promise<unknown> = Promise.resolve();
  #over: (() => void)[] = [];

  /** Runs as soon as nothing is alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    let waited: Promise<unknown> | null = null;
    while (waited !== this.#alone) {
      waited = this.#alone;
      await waited;
    }
    this.#beside += 1;
    try {
      return await work();
    } finally {
      this.#beside -= 1;
      if (this.#beside === 0) for (const go of this.#over.splice(0)) go();
    }
  }

  /** Runs once nothing else does; what comes meanwhile waits. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const turn = (async () => {
      await before.catch(() => undefined);
      if (this.#beside > 0) await new Promise<void>((resolve) => this.#over.push(resolve));
      return work();
    })();
    this.#alone = turn.catch(() => undefined);
    return turn;
  }
}
