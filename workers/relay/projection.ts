import type { ChainEnds } from '../../protocol/chain-head.ts';
import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { PushMessage } from '../../protocol/push.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import { modeOf } from '../../protocol/launch.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { appendLedgers } from '../ledger/append.ts';
import { linkRows } from '../ledger/chain.ts';
import { decideAllRows, sessionRow } from '../ledger/rows.ts';
import { describeFault, log } from '../lib/logger.ts';
import { bellOf } from '../lib/stubs.ts';
import { matters, wakePilot } from '../pilot/drivers.ts';
import { decideMessages } from '../push/decide.ts';
import { ChainStore, type PendingPage } from './chain-store.ts';
import type { RecordState, SessionRecord } from './session-record.ts';

/** Entries read into one D1 batch. */
const PAGE = 500;
/** Shortest time between two projections of a busy session, in ms. */
export const PROJECTION_INTERVAL_MS = 250;

/**
 * Carries a feed's record into D1, from a durable cursor. At most one runs at a time; a crash
 * between the D1 batch and the cursor repeats that very page, which the natural keys make harmless.
 */
export class Projection {
  readonly #env: Env;
  readonly #owner: { accountId: AccountId; sessionId: SessionId };
  readonly #record: SessionRecord;
  readonly #storage: DurableObjectStorage;
  readonly #chain: ChainStore;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When the last one began, Unix ms. */
  #began = 0;
  /** What the session's row in D1 says, as far as this object has written it itself. */
  #shown: string | null = null;

  constructor(
    env: Env,
    owner: { accountId: AccountId; sessionId: SessionId },
    record: SessionRecord,
    storage: DurableObjectStorage,
  ) {
    this.#env = env;
    this.#owner = owner;
    this.#record = record;
    this.#storage = storage;
    this.#chain = new ChainStore(storage.sql);
  }

  /** Where the session's chain ends. */
  readChainEnds(): ChainEnds {
    return this.#chain.readEnds();
  }

  /** Whether D1 lacks something that the record holds. */
  isBehind(): boolean {
    const facts = this.#record.state?.facts;
    return facts !== undefined && facts.projectedUpTo < facts.lastPosition;
  }

  /**
   * Projects without anybody waiting: at once where it has been quiet or a turn has ended, which
   * a Pilot waits for; at the interval where entries follow one another. A failure is left to the
   * feed's alarm.
   */
  schedule({ turnEnded = false }: { turnEnded?: boolean } = {}): void {
    if (this.#timer !== null) {
      if (!turnEnded) return;
      clearTimeout(this.#timer);
    }
    const rest = turnEnded ? 0 : this.#began + PROJECTION_INTERVAL_MS - Date.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.run().catch((fault: unknown) => {
          log('warn', 'feed.project', {
            sessionId: this.#owner.sessionId,
            fault: describeFault(fault),
          });
        });
      },
      Math.max(0, rest),
    );
  }

  /** Projects everything that is stored now. Throws when D1 does not take it. */
  async run(): Promise<void> {
    while (this.#running) await this.#running;
    if (!this.isBehind()) return;
    this.#began = Date.now();
    this.#running = this.#pages();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  async #pages(): Promise<void> {
    const database = openDatabase(this.#env.DB);
    for (let state = this.#record.state; state && this.isBehind(); state = this.#record.state) {
      const { facts, view } = state;
      this.#chain.open(facts.projectedUpTo);
      const source = { ...this.#owner, actorId: facts.actorId, runnerId: facts.runnerId };
      const entries = this.#record.store.listEntries(facts.projectedUpTo, PAGE);
      const page = this.#chain.readPending() ?? (await this.#decide(source, state, entries));
      const paged = entries.filter(({ position }) => position <= page.upTo);
      const tellsPilot = modeOf(view.launch) !== 'manual' && paged.some(matters);
      const shown = JSON.stringify({ ...sessionRow(source, view, 0), updatedAt: 0 });
      if (page.rows.length === 0 && shown === this.#shown && !tellsPilot) {
        // Text and tool calls are in no table: the cursor moves on with the next write of the record.
        this.#record.passOver(page.upTo);
        continue;
      }
      await appendLedgers(database, sessionRow(source, view, facts.lastPosition), page);
      this.#shown = shown;
      // Before the cursor moves: a crash tells the Pilot once more, never once less.
      if (tellsPilot) await this.#wakePilot(source);
      await this.#ring(decideMessages(view, paged, Date.now()));
      this.#storage.transactionSync(() => {
        this.#record.markProjected(page.upTo);
        this.#chain.settle(page);
      });
    }
  }

  /** The next page. With rows, it is kept before D1 sees it, so that its links are made once. */
  async #decide(
    source: Parameters<typeof decideAllRows>[0],
    { facts, view }: RecordState,
    entries: readonly FeedEntry[],
  ): Promise<PendingPage> {
    const upTo = entries.at(-1)?.position;
    if (upTo === undefined)
      throw new Error(`The record lacks entries after ${facts.projectedUpTo}.`);
    const rows = await decideAllRows(source, view, entries);
    const { head, startsAfter: after } = this.#chain;
    const links = await linkRows(source, head, rows, { after, nowMs: Date.now() });
    const page = { upTo, rows, links };
    if (rows.length > 0) this.#storage.transactionSync(() => this.#chain.keep(page));
    return page;
  }

  /** A browser that cannot be told hinders no ledger; what waits stands in the console. */
  async #ring(messages: readonly PushMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await bellOf(this.#env, this.#owner.accountId)
      .ring(messages)
      .catch((fault: unknown) => {
        const { sessionId } = this.#owner;
        log('warn', 'feed.ring', { sessionId, fault: describeFault(fault) });
      });
  }

  /** A Pilot that cannot be told now looks for itself later; the ledgers do not wait for it. */
  async #wakePilot(source: Parameters<typeof wakePilot>[1]): Promise<void> {
    await wakePilot(this.#env, source).catch((fault: unknown) =>
      log('warn', 'feed.wakePilot', {
        sessionId: this.#owner.sessionId,
        fault: describeFault(fault),
      }),
    );
  }
}
