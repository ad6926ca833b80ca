import type { RunnerId } from '../../protocol/ids.ts';
import type {
  Driver,
  RelayCalls,
  ReleaseSession,
  TakeOverSession,
  TerminalCalls,
} from '../lib/calls.ts';
import { codeOfAbsence } from '../lib/absence.ts';
import { newId } from '../lib/crypto.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import type { FeedChange, FeedDecision, Maker } from './feed-decisions.ts';
import { LeaseStore } from './lease-store.ts';
import type { SessionRecord } from './session-record.ts';
import { decideRelease, decideTakeover, drives } from './takeover-decisions.ts';

export type TakeoverOutlets = {
  record: SessionRecord;
  relay(runnerId: RunnerId): Pick<RelayCalls, 'readStatus'>;
  terminal(): TerminalCalls;
  maker(): Maker;
  /** Stores a decision in one transaction, together with what `also` writes. */
  apply(decision: FeedDecision, also?: (change: FeedChange) => void): Promise<Outcome<null>>;
};

/** A feed's lease by hand: who drives, proven by a key that is kept as its hash alone. */
export class Takeovers {
  readonly #lease: LeaseStore;
  readonly #outlets: TakeoverOutlets;

  constructor(sql: SqlStorage, outlets: TakeoverOutlets) {
    this.#lease = new LeaseStore(sql);
    this.#outlets = outlets;
  }

  /** Whether the key of this hash drives the session now. */
  drives(keyHash: string | null): boolean {
    return this.epochOf(keyHash) !== null;
  }

  /** The epoch under which the key of this hash drives; null when it does not. */
  epochOf(keyHash: string | null): number | null {
    const view = this.#outlets.record.state?.view;
    const held = keyHash === null ? null : this.#lease.epochOf(keyHash);
    return view && drives(view, held) ? held : null;
  }

  /** Whether the key of this hash drives, and by what whoever drives does. */
  driverOf(keyHash: string | null): Driver {
    const view = this.#outlets.record.state?.view;
    const form = view?.takeover?.form ?? null;
    return { epoch: this.epochOf(keyHash), form, launch: view?.launch ?? null };
  }

  /** Gives the lease to a person. Refused where the engine or the machine cannot give keys. */
  async takeOver(input: TakeOverSession): Promise<Outcome<{ epoch: number }>> {
    const { record, maker, apply, relay } = this.#outlets;
    if (!record.state) return refuse('session_not_found');
    const { presence, machine, revokedAt } = await relay(record.state.facts.runnerId).readStatus();
    if (input.form === 'keys' && presence === 'offline')
      return refuse(codeOfAbsence(revokedAt), { runnerId: record.state.facts.runnerId });
    const facts = { machine, turnId: newId('trn') };
    // Read again: the session may have moved on while the machine was looked at.
    const decision = decideTakeover(record.state, input, facts, maker());
    const outcome = await apply(decision, ({ epoch }) => {
      if (epoch !== undefined) this.#lease.give(input.keyHash, epoch);
    });
    if (!outcome.ok) return outcome;
    const epoch = this.epochOf(input.keyHash);
    await this.tell(epoch);
    return epoch === null ? refuse('conflict') : succeed({ epoch });
  }

  /** Takes the lease back from a person, who hands back or is gone. */
  async release(input: ReleaseSession): Promise<Outcome<null>> {
    const { record, maker, apply } = this.#outlets;
    if (!record.state) return refuse('session_not_found');
    const held = this.epochOf(input.keyHash);
    const outcome = await apply(decideRelease(record.state, input, held, maker()));
    if (outcome.ok) await this.tell(null);
    return outcome;
  }

  /** Viewers learn who drives; keys of a stale driver are refused by the machine all the same. */
  async tell(epoch: number | null): Promise<void> {
    await this.#outlets
      .terminal()
      .leaseChanged(epoch)
      .catch((fault: unknown) => log('warn', 'feed.leaseChanged', { fault: describeFault(fault) }));
  }
}
