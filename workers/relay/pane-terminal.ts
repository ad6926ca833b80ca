import { type ErrorCode, ERRORS, sentenceOf } from '../../protocol/errors.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { appendPaneRecords } from '../ledger/pane-records.ts';
import type { DrivePane, LetGoPane, PaneCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { relayOf } from '../lib/stubs.ts';
import { ObjectAlarm } from './alarm.ts';
import { HubObject } from './hub-object.ts';
import { parsePaneName } from './identity.ts';
import {
  decideDrive,
  decideLetGo,
  decideRunOut,
  driverOf,
  nextDue,
  type PaneDecision,
  type PaneEvent,
  type PaneState,
  withTyped,
  withWindow,
} from './pane-lease.ts';
import { type PaneOwner, PaneStore } from './pane-store.ts';
import { TerminalHub } from './terminal-hub.ts';
import type { TerminalViewer } from './terminal-viewers.ts';

/** How long a machine may take to answer, and how soon it is asked again, in ms. */
const ASK_MS = 10_000;
const ASK_AGAIN_MS = 2_000;
/** How soon rows that the database did not take are offered again, in ms. */
const RECORD_AGAIN_MS = 2_000;

/**
 * A terminal of a machine's own in persons' windows. It owns the lease: what a driver types is kept
 * here, counted, before it is sent on.
 */
export class PaneTerminal extends HubObject implements PaneCalls {
  readonly #owner: PaneOwner;
  readonly #store: PaneStore;
  readonly #alarm: ObjectAlarm;
  protected override readonly hub: TerminalHub;
  #state: PaneState;
  #asking: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { account, runner, target } = parsePaneName(ctx.id.name);
    this.#owner = { accountId: account, runnerId: runner, target };
    this.#store = new PaneStore(ctx.storage, this.#owner);
    this.#state = this.#store.read();
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.hub = new TerminalHub(ctx, env, {
      facts: { runnerId: runner, target },
      epochOf: async (keyHash) => {
        const { lease } = this.#state;
        return lease && lease.keyHash === keyHash ? lease.epoch : null;
      },
      attached: (viewer) => this.#attached(viewer),
      left: () => this.#windows(),
      typed: (_viewer, bytes) => this.#keep(withTyped(this.#state, bytes, Date.now())),
      machine: (connected) => {
        if (connected) this.hub.tell({ type: 'lease', epoch: this.#state.lease?.epoch ?? null });
        else this.#ask();
      },
      ended: (code) => this.hub.end(code),
    });
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
    });
  }

  /** Gives the keys to a person, where the machine's limits let anybody type. */
  async drive(input: DrivePane): Promise<Outcome<{ epoch: number }>> {
    const asked = await this.#question(true);
    if (!asked.ok) return asked;
    const done = this.#apply(decideDrive(this.#state, input, Date.now()));
    return done.ok ? succeed({ epoch: this.#state.epoch }) : done;
  }

  /** Takes the keys back from a person, who lets go or is gone. */
  async letGo(input: LetGoPane): Promise<Outcome<null>> {
    return this.#apply(decideLetGo(this.#state, input));
  }

  override async alarm(): Promise<void> {
    this.#alarm.fired();
    const ended = decideRunOut(this.#state, Date.now());
    if (ended) this.#apply(ended);
    this.#settleTyped();
    if (!this.hub.connected) this.#ask();
    await this.#record();
    await this.#arm();
  }

  #attached(viewer: TerminalViewer): void {
    const { actorId, channel } = viewer.identity;
    this.#keep(this.#state, [{ kind: 'watched', actorId, channel }]);
    viewer.send({ type: 'lease', driver: driverOf(this.#state) });
    this.#windows();
    if (!this.hub.connected) this.#ask();
  }

  /** Whether the driver has a window may be another than before. */
  #windows(): void {
    const epoch = this.#state.lease?.epoch;
    const there = this.hub.attached.some((viewer) => viewer.epoch === epoch);
    this.#keep(withWindow(this.#state, there, Date.now()));
  }

  #apply(decision: PaneDecision): Outcome<null> {
    if (decision.kind === 'refused') return refuse(decision.code);
    this.#keep(decision.state, decision.events);
    const epoch = this.#state.lease?.epoch ?? null;
    this.hub.leaseChanged(epoch);
    this.hub.tell({ type: 'lease', epoch });
    this.hub.show({ type: 'lease', driver: driverOf(this.#state) });
    return succeed(null);
  }

  #keep(state: PaneState, events: readonly PaneEvent[] = []): void {
    if (state === this.#state && events.length === 0) return;
    this.#state = state;
    this.#store.keep(state, events, Date.now());
    this.ctx.waitUntil(events.length > 0 ? this.#record() : this.#arm());
  }

  #settleTyped(): void {
    const { typed } = this.#state;
    if (!typed) return;
    this.#keep({ ...this.#state, typed: null }, [{ kind: 'typed', ...typed }]);
  }

  /** Writes what waits to the record; the alarm offers again what it does not take. */
  async #record(): Promise<void> {
    const rows = this.#store.waiting();
    if (rows.length === 0) return;
    try {
      await appendPaneRecords(openDatabase(this.env.DB), this.#owner.accountId, rows);
      this.#store.recorded(rows);
    } catch (fault) {
      log('warn', 'pane.record', { ...this.#owner, fault: describeFault(fault) });
    }
    await this.#arm();
  }

  /** Asks the machine to show the terminal, while somebody waits for it. */
  #ask(): void {
    if (this.#asking || this.hub.attached.length === 0) return;
    this.#asking = this.#show().finally(() => (this.#asking = null));
    this.ctx.waitUntil(this.#asking);
  }

  async #show(): Promise<void> {
    const asked = await this.#question(false);
    if (!asked.ok && !isPassing(asked.code))
      this.hub.end(asked.code, sentenceOf(asked.code, asked.context));
    else await this.#alarm.ensure(Date.now() + ASK_AGAIN_MS);
  }

  #question(drive: boolean): Promise<Outcome<unknown>> {
    const { accountId, runnerId, target } = this.#owner;
    return relayOf(this.env, accountId, runnerId).ask({
      method: 'terminal/watch',
      params: { target, drive },
      sessionId: null,
      timeoutMs: ASK_MS,
    });
  }

  #arm(): Promise<void> {
    const now = Date.now();
    const due = Math.min(
      nextDue(this.#state) ?? Infinity,
      this.#store.waiting().length > 0 ? now + RECORD_AGAIN_MS : Infinity,
      this.hub.attached.length > 0 && !this.hub.connected ? now + ASK_AGAIN_MS : Infinity,
    );
    return due === Infinity ? Promise.resolve() : this.#alarm.ensure(due);
  }
}

/** Whether it passes by itself, so that asking again helps. */
const isPassing = (code: ErrorCode): boolean =>
  code === 'runner_offline' || code === 'runner_timeout' || ERRORS[code].status >= 500;
