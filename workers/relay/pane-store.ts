import { z } from 'zod';
import { paneRecord, type PaneRecord } from '../../protocol/panes.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import { type PaneEvent, paneState, type PaneState, UNDRIVEN } from './pane-lease.ts';

export type PaneOwner = { accountId: AccountId; runnerId: RunnerId; target: string };

/** What a terminal of a machine's own keeps in its object until it is on record. */
export class PaneStore {
  readonly #kv: SyncKvStorage;
  readonly #owner: PaneOwner;

  constructor(storage: DurableObjectStorage, owner: PaneOwner) {
    this.#kv = storage.kv;
    this.#owner = owner;
  }

  read(): PaneState {
    const parsed = paneState.safeParse(this.#kv.get('state'));
    return parsed.success ? parsed.data : UNDRIVEN;
  }

  /** Keeps a state and what has to be recorded of it, both or neither. */
  keep(state: PaneState, events: readonly PaneEvent[], nowMs: number): void {
    this.#kv.put('state', state);
    if (events.length === 0) return;
    const { runnerId, target } = this.#owner;
    const rows = events.map((event): PaneRecord => {
      const { kind, actorId, channel } = event;
      const typed = event.kind === 'typed' ? event : null;
      return {
        id: crypto.randomUUID(),
        runnerId,
        target,
        actorId,
        channel,
        kind,
        bytes: typed?.bytes ?? null,
        batches: typed?.batches ?? null,
        reason: event.kind === 'let_go' ? event.reason : null,
        at: nowMs,
      };
    });
    this.#kv.put('waiting', [...this.waiting(), ...rows]);
  }

  /** What is not on record yet, oldest first. */
  waiting(): PaneRecord[] {
    return z.array(paneRecord).parse(this.#kv.get('waiting') ?? []);
  }

  /** Forgets what is on record now. */
  recorded(rows: readonly PaneRecord[]): void {
    const done = new Set(rows.map(({ id }) => id));
    const rest = this.waiting().filter(({ id }) => !done.has(id));
    if (rest.length === 0) this.#kv.delete('waiting');
    else this.#kv.put('waiting', rest);
  }
}
