import type { Command } from '../../protocol/command.ts';
import type { OutgoingStore } from './outgoing.ts';

export type HandOverOutlets = {
  enqueue(command: Command): Promise<void>;
  /** The relay did not take a command; it and those behind it are tried again later. */
  failed(fault: unknown): void;
  now(): number;
};

/**
 * Brings a feed's commands to the relay one at a time, in the order in which they were made: a
 * stop that overtook its start would find nothing to stop, and the session would run.
 */
export class HandOver {
  readonly #store: Pick<OutgoingStore, 'head' | 'markTaken' | 'postpone'>;
  readonly #outlets: HandOverOutlets;
  #running = false;

  constructor(
    store: Pick<OutgoingStore, 'head' | 'markTaken' | 'postpone'>,
    outlets: HandOverOutlets,
  ) {
    this.#store = store;
    this.#outlets = outlets;
  }

  /** Hands over what waits, until one fails. A run that is under way takes along what is new. */
  async run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let head = this.#store.head(); head; head = this.#store.head()) {
        await this.#outlets.enqueue(head.command);
        this.#store.markTaken(head.command.id);
      }
    } catch (fault) {
      this.#outlets.failed(fault);
      const head = this.#store.head();
      if (head) this.#store.postpone(head.command.id, head.attempts + 1, this.#outlets.now());
    } finally {
      this.#running = false;
    }
  }
}
