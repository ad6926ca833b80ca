/** How late an alarm may be, in ms, before it is taken for one that no process will let go off. */
const OVERDUE_MS = 1_000;

/**
 * The one alarm of an object, remembered so that a busy object does not write it at each event.
 * It only ever moves earlier; whoever handles it sets the next one.
 */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Reads what is set, at boot. */
  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm();
  }

  /** Makes sure that the alarm fires no later than `at`. Written with the same transaction as what came before it. */
  async ensure(at: number): Promise<void> {
    const now = Date.now();
    if (this.#at === null || this.#at > at) return this.renew(at);
    // One that was going off when a process was killed stays behind, and goes off a minute later. What
    // it was set for is due still, whatever is asked for now.
    if (this.#at < now - OVERDUE_MS) await this.renew(now);
  }

  /** Sets the alarm whatever is set, which a process that was killed may have left behind. */
  async renew(at: number): Promise<void> {
    this.#at = at;
    await this.#storage.setAlarm(at);
  }

  /** The alarm is going off: nothing is set any more. */
  fired(): void {
    this.#at = null;
  }
}
