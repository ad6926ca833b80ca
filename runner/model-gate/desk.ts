import { estimateInputTokens } from '../../protocol/call-bound.ts';
import { decideCall, type CallDecision } from './account.ts';
import { appendCall, readCalls, type JournalEntry, type Refusal } from './journal.ts';
import type { Metered } from './meter.ts';
import type { CallFacts } from './protocol.ts';

type Asked = CallFacts & { bytes: number; usualOutputTokens: number };
export type Reservation = { microUsd: number };
export type Admission =
  | { ok: true; reservation: Reservation; maxOutputTokens: number | null }
  | { ok: false; why: Refusal };

/**
 * The account of one session: lets calls begin, one after another where they could not all be paid,
 * and writes down what they came to.
 */
export class Desk {
  readonly #journal: string;
  readonly #now: () => number;
  readonly #held = new Set<Reservation>();
  #waiting: (() => void)[] = [];
  #spentMicroUsd: number;
  #grantMicroUsd: number | null = 0;

  constructor(journal: string, now: () => number) {
    this.#journal = journal;
    this.#now = now;
    this.#spentMicroUsd = readCalls(journal, 0).entries.reduce(
      (sum, { microUsd }) => sum + (microUsd ?? 0),
      0,
    );
  }

  get busy(): boolean {
    return this.#held.size > 0;
  }

  /** Everything that the calls may come to, from the first; null is no limit. */
  grant(microUsd: number | null): void {
    this.#grantMicroUsd = microUsd;
    this.#wake();
  }

  /** Resolves when the call may begin, or will not. `signal` gives the wish up. */
  async admit(call: Asked, signal: AbortSignal): Promise<Admission> {
    for (;;) {
      signal.throwIfAborted();
      const decision = this.#decide(call);
      if (decision.kind === 'refuse') return this.refuse(call.model, decision.why);
      if (decision.kind === 'go') {
        const reservation = { microUsd: decision.reserveMicroUsd };
        this.#held.add(reservation);
        return { ok: true, reservation, maxOutputTokens: decision.maxOutputTokens };
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #decide(call: Asked): CallDecision {
    const reservedMicroUsd = [...this.#held].reduce((sum, { microUsd }) => sum + microUsd, 0);
    return decideCall(
      { grantMicroUsd: this.#grantMicroUsd, spentMicroUsd: this.#spentMicroUsd, reservedMicroUsd },
      call,
    );
  }

  refuse(model: string, why: Refusal): { ok: false; why: Refusal } {
    const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    this.#write({ at: this.#now(), model, refused: why, ...nothing, microUsd: 0, told: true });
    return { ok: false, why };
  }

  /** Writes down what a call came to; null where the provider charged nothing. */
  settle(reservation: Reservation, metered: Metered | null): void {
    this.#held.delete(reservation);
    if (metered) {
      const { model, tokens, microUsd, told } = metered;
      this.#write({ at: this.#now(), model, refused: null, ...tokens, microUsd, told });
      this.#spentMicroUsd += microUsd ?? 0;
    }
    this.#wake();
  }

  #write(entry: JournalEntry): void {
    appendCall(this.#journal, entry);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

/** What a request is taken to be while its provider has not said. */
export const estimatedInput = ({ bytes }: Pick<Asked, 'bytes'>): number =>
  estimateInputTokens(bytes);
