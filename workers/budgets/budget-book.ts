import { DurableObject } from 'cloudflare:workers';
import {
  type AccountId,
  accountId,
  type SessionId,
  sessionId as sessionIdSchema,
  type TurnId,
} from '../../protocol/ids.ts';
import {
  type BudgetKey,
  type BudgetStanding,
  type BudgetVersion,
  type CountedSpend,
  markPassed,
  NOTHING_SPENT,
  sayMark,
  type TurnGrant,
} from '../../protocol/shared-budget.ts';
import type { Env } from '../env.ts';
import type {
  BookCalls,
  BudgetSave,
  FeedCalls,
  CallRequest,
  GrantRequest,
  Place,
  Settlement,
} from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { feedOf } from '../lib/stubs.ts';
import { normalDirectory } from '../policy/scope.ts';
import {
  CALL_MS,
  decideAged,
  decideCall,
  decideEarlier,
  decideGrant,
  decideStanding,
  isCounted,
  neededOf,
  type Reservation,
  type Used,
} from './decide.ts';
import { periodOf } from './period.ts';
import { settlementOf } from './settlement.ts';
import { BOOK_STEPS } from './storage.ts';
import { BudgetStore, nameOf } from './store.ts';
import { exhaustedContext } from './words.ts';

/** After this time a turn that its session has never heard of was never handed over, in ms. */
export const STRAY_MS = 60_000;

const NOTHING_TOLD = { ended: [], lost: [] } as const;

/** Versions of a budget that are told of, the newest first. */
const HISTORY_MAX = 100;

/**
 * The budgets of one account and everything that is granted of them: one place, so that two
 * sessions never get the same dollar. Between a look and what it writes nothing is awaited.
 */
export class BudgetBook extends DurableObject<Env> implements BookCalls {
  readonly #accountId: AccountId;
  readonly #store: BudgetStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = accountId.parse(ctx.id.name);
    migrateStorage(ctx.storage, BOOK_STEPS);
    this.#store = new BudgetStore(ctx.storage.sql);
  }

  /**
   * Grants a turn what it may come to; the same turn again is the same grant. Null is no limit.
   * Refuses `budget_exhausted`, once no turn that is over holds anything any more.
   */
  async reserve(request: GrantRequest): Promise<Outcome<TurnGrant | null>> {
    const { sessionId, place, spend } = request;
    this.#write(() => this.#charge({ sessionId, place, spend, ended: [], released: [] }));
    const first = this.#grant(request);
    if (first.kind === 'granted') return succeed(first.grant);
    await this.#lookAtHeld();
    const second = this.#grant(request);
    if (second.kind === 'granted') return succeed(second.grant);
    return refuse('budget_exhausted', exhaustedContext(second.budget));
  }

  /**
   * Holds the most that a model can come to which is about to be asked beside the turns. Refuses
   * `model_over_budget` and `model_unpriced`, once nothing that is over holds anything any more.
   */
  async reserveCall(request: CallRequest): Promise<Outcome<TurnGrant | null>> {
    const { spender, place, spend, callId, over: told = NOTHING_TOLD } = request;
    this.#write(() => {
      const over = decideEarlier(this.#store.listHeldBy(spender), callId, told);
      this.#charge({ sessionId: spender, place, spend, released: [], ...over });
    });
    let decision = this.#grantCall(request);
    if (decision.kind === 'exhausted') {
      await this.#lookAtHeld();
      decision = this.#grantCall(request);
    }
    if (decision.kind === 'granted') return succeed(decision.grant);
    if (decision.kind === 'unpriced') return refuse('model_unpriced');
    const needed = request.most && neededOf(decision.budget, request.most);
    return refuse('model_over_budget', exhaustedContext(decision.budget, needed));
  }

  /** Takes what is said of spending that no session is told of: warnings wait for one that is. */
  async charge(settlement: Settlement): Promise<void> {
    this.#write(() => this.#charge(settlement));
  }

  /** Takes what a session says of itself; answers which warnings nobody was given yet. */
  async settle(settlement: Settlement): Promise<string[]> {
    return this.#write(() => {
      this.#charge(settlement);
      return this.#takeWarnings(settlement.place);
    });
  }

  /** How every budget stands, as far as sessions can be asked. */
  async list(): Promise<BudgetStanding[]> {
    await this.#lookAtHeld();
    return this.#standings();
  }

  async history(key: BudgetKey): Promise<BudgetVersion[]> {
    return this.#store.listVersions(nameOf(key), HISTORY_MAX);
  }

  /** Saves the next version of a budget; turns that are granted keep their grants. */
  async save({ request, actorId, savedBy }: BudgetSave): Promise<Outcome<BudgetVersion>> {
    const { basedOn, scope: given, ...terms } = request;
    const scope =
      given.kind === 'repository'
        ? { ...given, directory: normalDirectory(given.directory) }
        : given;
    const [newest] = this.#store.listVersions(nameOf({ ...terms, scope }), 1);
    if ((newest?.version ?? 0) !== basedOn) return refuse('budget_changed');
    const version = { ...terms, scope, version: basedOn + 1, savedBy, savedAt: Date.now() };
    this.#store.addVersion(version, actorId);
    return succeed(version);
  }

  #grant(request: GrantRequest): ReturnType<typeof decideGrant> {
    const { turnId, sessionId, place } = request;
    const known = this.#store.readGrant(turnId);
    if (known) return { kind: 'granted', grant: limitOf(known) };
    const decision = decideGrant(this.#standings(place));
    if (decision.kind === 'exhausted') return decision;
    // Held without any limit too: a turn that began before a budget was set is counted at its end.
    const grant = decision.grant ?? { microUsd: null, paidMicroUsd: null };
    this.#store.hold({ turnId, kind: 'turn', sessionId, ...place, at: Date.now(), ...grant });
    return { kind: 'granted', grant: limitOf(grant) };
  }

  #grantCall({ callId, spender, place, most }: CallRequest): ReturnType<typeof decideCall> {
    const kind = most ? 'call' : 'question';
    const known = most ? undefined : this.#store.readGrant(callId);
    if (known) return { kind: 'granted', grant: limitOf(known) };
    const decision = decideCall(this.#standings(place), most);
    if (decision.kind !== 'granted') return decision;
    const grant = decision.grant ?? { microUsd: null, paidMicroUsd: null };
    // Held without any limit too: of what is held, it can be said that it was lost.
    this.#store.hold({
      turnId: callId,
      kind,
      sessionId: spender,
      ...place,
      at: Date.now(),
      ...grant,
    });
    return { kind: 'granted', grant: limitOf(grant) };
  }

  /** How the budgets that count a place stand; all of them without one. */
  #standings(place: Place | null = null): BudgetStanding[] {
    const held = this.#store.listHeld();
    const nowMs = Date.now();
    // Most budgets begin at the same time, and what was charged since then is read once.
    const sums = new Map<number, (Place & Used)[]>();
    return this.#store.listNewest().flatMap((version) => {
      const { limit, scope, renews, zone } = version;
      if (limit === null || (place && !isCounted(scope, place))) return [];
      const period = periodOf(renews, zone, nowMs);
      const since = sums.get(period.from) ?? this.#store.sumSince(period.from);
      sums.set(period.from, since);
      const used = usedIn(scope, since);
      return [decideStanding({ ...version, limit }, { used, held, period })];
    });
  }

  /** Charges what a session has come to beyond what is charged, and ends grants that are over. */
  #charge({ sessionId, place, spend, ended, released, lost = [] }: Settlement): void {
    // What it came to before it was first heard of is of a time without budgets.
    const known = this.#store.readSpend(sessionId) ?? spend;
    const over = ended.flatMap((turnId) => this.#store.end(sessionId, turnId) ?? []);
    const turns = over.filter(({ kind }) => kind === 'turn').length;
    for (const turnId of lost) {
      const held = this.#store.lose(sessionId, turnId, Date.now());
      if (held) this.#store.charge(held, mostOf(held, 1), Date.now());
    }
    for (const turnId of released) this.#store.release(sessionId, turnId);
    // What was taken for lost has its figure in the sums, or was never served.
    for (const turnId of [...ended, ...released]) {
      const charged = this.#store.findAfterAll(sessionId, turnId);
      if (charged) this.#store.charge(charged, mostOf(charged, -1), charged.chargedAt);
    }
    const more = beyond(known, spend);
    this.#store.writeSpend(sessionId, addSpend(known, more));
    if (Object.values(more).some((amount) => amount > 0) || turns > 0)
      this.#store.charge(place, { ...more, turns }, Date.now());
  }

  #takeWarnings(place: Place): string[] {
    return this.#standings(place).flatMap((standing) => {
      const { from } = periodOf(standing.renews, standing.zone, Date.now());
      const mark = markPassed(standing.used, standing.limit, this.#store.readMark(standing, from));
      if (mark === null) return [];
      this.#store.writeMark(standing, from, mark);
      return [sayMark(standing, mark)];
    });
  }

  /**
   * Asks the sessions whose turns and calls hold something what became of them: a word may have been
   * lost. What was asked about and is not known there is over by its age.
   */
  async #lookAtHeld(): Promise<void> {
    const held = this.#store.listHeld().filter(({ kind }) => kind !== 'question');
    const bySession = Map.groupBy(held, ({ sessionId }) => sessionId);
    const unheard = new Set<string>();
    await Promise.all(
      [...bySession].map(async ([sessionId, of]) => {
        if (!(await this.#lookAt(of))) unheard.add(sessionId);
      }),
    );
    this.#endAged(unheard);
  }

  /** Ends what nobody told the end of, long after it must be over. `unheard` could not be asked. */
  #endAged(unheard: ReadonlySet<string>): void {
    const held = this.#store.listHeld();
    for (const [sessionId, of] of Map.groupBy(held, (each) => each.sessionId)) {
      const [first] = of;
      const over = decideAged(of, Date.now());
      if (unheard.has(sessionId)) over.lost = [];
      if (!first || over.ended.length + over.lost.length === 0) continue;
      const { runnerId, directory } = first;
      const spend = this.#store.readSpend(sessionId) ?? NOTHING_SPENT;
      const place = { runnerId, directory };
      this.#write(() => this.#charge({ sessionId, place, spend, released: [], ...over }));
    }
  }

  /** Whether the session could be asked; an operator's agent tells by itself, until it was heard. */
  async #lookAt(held: readonly Reservation[]): Promise<boolean> {
    const [first] = held;
    const session = sessionIdSchema.safeParse(first?.sessionId);
    if (!first || !session.success) return true;
    const { runnerId, directory } = first;
    const sessionId = session.data;
    const outcome = await this.#ask(sessionId, held).catch((fault: unknown) => {
      // Held on: what cannot be asked may still be spent.
      log('warn', 'budget.look', { sessionId, fault: describeFault(fault) });
      return null;
    });
    if (!outcome) return false;
    const turnIds = held.map(({ turnId }) => turnId);
    const told = outcome.ok ? settlementOf(outcome.value, turnIds) : null;
    const known = outcome.ok ? outcome.value.view.turns.map(({ turnId }) => turnId) : [];
    const spend = told?.spend ?? this.#store.readSpend(sessionId) ?? NOTHING_SPENT;
    const stray = strayOf(held, known, Date.now());
    const place = told?.place ?? { runnerId, directory };
    const released = [...(told?.released ?? []), ...stray];
    const { ended = [], lost = [] } = told ?? {};
    this.#write(() => this.#charge({ sessionId, place, spend, ended, released, lost }));
    return true;
  }

  /** What a session says of itself, once it has put on record which of its calls are lost. */
  async #ask(
    sessionId: SessionId,
    held: readonly Reservation[],
  ): Promise<Awaited<ReturnType<FeedCalls['readView']>>> {
    const feed = feedOf(this.env, this.#accountId, sessionId);
    const nowMs = Date.now();
    if (decideAged(held, nowMs).lost.length > 0)
      await feed.brain({ do: 'giveUp', before: nowMs - CALL_MS });
    return feed.readView();
  }

  #write<T>(work: () => T): T {
    return this.ctx.storage.transactionSync(work);
  }
}

/** A grant without a limit is none to whoever keeps to it. */
const limitOf = (grant: TurnGrant): TurnGrant | null =>
  Object.values(grant).every((part) => part === null || part === undefined) ? null : grant;

/** What a call counts as that was lost, `times` so much: all of what it held. */
const mostOf = ({ microUsd, paidMicroUsd, tokens = 0 }: Reservation, times: 1 | -1): Used => ({
  all: times * (microUsd ?? 0),
  paid: times * (paidMicroUsd ?? 0),
  tokens: times * tokens,
  timeMs: 0,
  turns: 0,
});

const addSpend = (one: CountedSpend, other: CountedSpend): CountedSpend => ({
  all: one.all + other.all,
  paid: one.paid + other.paid,
  tokens: one.tokens + other.tokens,
  timeMs: one.timeMs + other.timeMs,
});

const usedIn = (scope: BudgetVersion['scope'], sums: readonly (Place & Used)[]): Used =>
  sums
    .filter((sum) => isCounted(scope, sum))
    .reduce<Used>(
      (total, { turns, ...sum }) => ({ ...addSpend(total, sum), turns: total.turns + turns }),
      { ...NOTHING_SPENT, turns: 0 },
    );

/** What a session's sums have beyond those that are known: a late word takes nothing back. */
const beyond = (known: CountedSpend, told: CountedSpend): CountedSpend => ({
  all: Math.max(0, told.all - known.all),
  paid: Math.max(0, told.paid - known.paid),
  tokens: Math.max(0, told.tokens - known.tokens),
  timeMs: Math.max(0, told.timeMs - known.timeMs),
});

/** Turns of which the session has not heard long after they were granted. */
const strayOf = (held: readonly Reservation[], known: readonly TurnId[], nowMs: number) =>
  held
    .filter(
      ({ turnId, kind, at }) =>
        kind === 'turn' && !known.includes(turnId) && nowMs - at >= STRAY_MS,
    )
    .map(({ turnId }) => turnId);
