import { DurableObject } from 'cloudflare:workers';
import type { ChainEnds } from '../../protocol/chain-head.ts';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { SequencedEvent, TextDelta } from '../../protocol/engine-event.ts';
import type { EntriesPage } from '../../protocol/http.ts';
import type { AccountId, CommandId, RunnerId, SessionId, TurnId } from '../../protocol/ids.ts';
import { canSteer, type Presence } from '../../protocol/machine.ts';
import { PING, PONG } from '../../protocol/runner-frames.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { Env } from '../env.ts';
import { codeOfAbsence } from '../lib/absence.ts';
import {
  type AnswerApproval,
  type AppendReply,
  type BrainStep,
  type CreateSession,
  type Driver,
  type FeedCalls,
  type InstructSession,
  type OverrideBreach,
  type RelayCalls,
  type ReleaseSession,
  type SessionRequest,
  type TakeOverSession,
  type ToldSession,
  VIEWER_HEADER,
  viewerIdentity,
} from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { bookOf, relayOf, terminalOf } from '../lib/stubs.ts';
import { ObjectAlarm } from './alarm.ts';
import { decideAnswerTo, settledResult } from './answering.ts';
import { ApprovalStore } from './approvals.ts';
import { decideOverride } from './breach-decisions.ts';
import { answerClose } from './attachment.ts';
import type { Chunk } from './chunks.ts';
import { decideAppend } from './append-rules.ts';
import {
  decideCreate,
  decideInstruct,
  decideLost,
  decideRequest,
  decideResult,
  type FeedChange,
  type FeedDecision,
  needsMachine,
} from './feed-decisions.ts';
import { FeedSockets } from './feed-sockets.ts';
import { FEED_STEPS } from './feed-storage.ts';
import { HandOver } from './hand-over.ts';
import { parseFeedName } from './identity.ts';
import { keepChange } from './keep-change.ts';
import { makerOf } from './maker.ts';
import { OutgoingStore } from './outgoing.ts';
import { Projection, PROJECTION_INTERVAL_MS } from './projection.ts';
import { readAgain } from './read-again.ts';
import { isLaunchOf, SessionRecord } from './session-record.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { Takeovers } from './takeovers.ts';
import { TurnGrants } from './turn-grants.ts';
import { ViewerAccess } from './viewer-access.ts';
import { Viewers } from './viewers.ts';

/** How long after a write the alarm looks whether D1 has it, in ms: far past the fast path. */
const PROJECTION_CHECK_MS = PROJECTION_INTERVAL_MS * 20;

/**
 * One session: owner of its record, its state and its lease's epoch. A shell: it loads, asks the
 * decisions, stores in one transaction, then shows and sends.
 */
export class SessionFeed extends DurableObject<Env> implements FeedCalls {
  readonly #accountId: AccountId;
  readonly #sessionId: SessionId;
  readonly #approvals: ApprovalStore;
  readonly #outgoing: OutgoingStore;
  readonly #handOver: HandOver;
  readonly #record: SessionRecord;
  readonly #projection: Projection;
  readonly #viewers: Viewers;
  readonly #access: ViewerAccess;
  readonly #sockets: FeedSockets;
  readonly #alarm: ObjectAlarm;
  readonly #takeovers: Takeovers;
  readonly #grants: TurnGrants;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { account, id } = parseFeedName(ctx.id.name);
    this.#accountId = account;
    this.#sessionId = id;
    migrateStorage(ctx.storage, FEED_STEPS);
    this.#approvals = new ApprovalStore(ctx.storage.sql);
    this.#outgoing = new OutgoingStore(ctx.storage.sql);
    this.#handOver = new HandOver(this.#outgoing, {
      enqueue: async (command) => {
        const state = this.#record.state;
        if (!state) throw new Error('A command without a record to say whose it is.');
        await this.#relay(state.facts.runnerId).enqueue(command);
      },
      failed: (fault) => this.#warn('feed.handOver', fault),
      now: Date.now,
    });
    this.#record = new SessionRecord(ctx.storage, id, this.#approvals);
    const owner = { accountId: account, sessionId: id };
    this.#projection = new Projection(env, owner, this.#record, ctx.storage);
    this.#viewers = new Viewers({
      sockets: () => ctx.getWebSockets(),
      nextChunk: (after) => this.#record.store.nextChunk(after),
      lastPosition: () => this.#record.state?.facts.lastPosition ?? 0,
    });
    this.#access = new ViewerAccess(env.DB, owner, ctx);
    this.#sockets = new FeedSockets({
      sessionId: id,
      record: this.#record,
      viewers: this.#viewers,
      access: this.#access,
      relay: (runnerId) => this.#relay(runnerId),
      failed: (operation, fault) => this.#warn(operation, fault),
    });
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#takeovers = new Takeovers(ctx.storage.sql, {
      record: this.#record,
      relay: (runnerId) => this.#relay(runnerId),
      terminal: () => terminalOf(env, account, id),
      maker: () => makerOf(id),
      apply: (decision, also) => this.#apply(decision, also),
    });
    this.#grants = new TurnGrants(ctx.storage.sql, {
      book: () => bookOf(env, account),
      state: () => this.#record.state,
      carried: () => this.#outgoing.listTurns(),
      apply: (decision) => this.#apply(decision),
      failed: (fault) => this.#warn('feed.settle', fault),
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    void ctx.blockConcurrencyWhile(() => this.#alarm.load());
    ctx.waitUntil(this.#viewers.resume());
  }

  /** Opens the record and queues the start. The same launch again changes nothing. */
  async create(input: CreateSession): Promise<Outcome<null>> {
    const { state } = this.#record;
    if (state) return isLaunchOf(state, input) ? succeed(null) : refuse('turn_conflict');
    const granted = await this.#grants.reserveFirst(this.#sessionId, input);
    if (!granted.ok) return granted;
    // Asked for twice at once, it is made once.
    if (this.#record.state) return this.create(input);
    const made = decideCreate({ ...input, grant: granted.value }, makerOf(this.#sessionId));
    const chunks = this.#record.create(
      { runnerId: input.runnerId, actorId: input.actorId },
      made.events,
      Date.now(),
      () => keepChange(this.#rooms, made, Date.now()),
    );
    await this.#after(chunks, made.commands);
    // The list of sessions shows it at once; if D1 is away, the alarm brings it there later.
    await this.#projection.run().catch((fault: unknown) => this.#warn('feed.project', fault));
    return succeed(null);
  }

  /** Accepts an instruction; the same id and text again is the same instruction. */
  async instruct(input: InstructSession): Promise<Outcome<{ turnId: TurnId }>> {
    const opened = this.#record.state;
    if (!opened) return this.#absent();
    const steers = input.steer
      ? canSteer(
          (await this.#relay(opened.facts.runnerId).readStatus()).machine,
          opened.view.launch,
        )
      : null;
    // Read each time: the session may move on while the machine is looked at, or the budgets are.
    const outcome = await this.#grants.forTurn(input.turnId, (grant) => {
      const underway = this.#outgoing.list().map(({ command }) => command);
      const asked = { ...input, steers, drives: this.#takeovers.drives(input.keyHash), grant };
      return decideInstruct(
        this.#record.state ?? opened,
        asked,
        underway,
        makerOf(this.#sessionId),
      );
    });
    return outcome.ok ? succeed({ turnId: input.turnId }) : outcome;
  }

  /** What is asked by name. Only a stop is queued for a machine that is away. */
  async request(input: SessionRequest): Promise<Outcome<null>> {
    const state = this.#record.state;
    if (!state) return this.#absent();
    if (needsMachine(input.action, state.view.state)) {
      const { presence, revokedAt } = await this.#relay(state.facts.runnerId).readStatus();
      if (presence === 'offline')
        return refuse(codeOfAbsence(revokedAt), { runnerId: state.facts.runnerId });
    }
    const again =
      input.action === 'retry' ? await readAgain(this.env, this.#accountId, this.#record) : null;
    if (again && !again.ok) return again;
    const asked = { ...input, ...again?.value };
    return this.#grants.forRequest(input.action, (grants) =>
      decideRequest(this.#record.state ?? state, asked, makerOf(this.#sessionId), grants),
    );
  }

  /** Gives the lease to a person, who drives by hand from here on. */
  takeOver(input: TakeOverSession): Promise<Outcome<{ epoch: number }>> {
    return this.#takeovers.takeOver(input);
  }

  /** Takes the lease back from a person. */
  release(input: ReleaseSession): Promise<Outcome<null>> {
    return this.#takeovers.release(input);
  }

  /** The machine of the session, and the epoch under which the key of this hash drives it. */
  async readDriver(keyHash: string | null): Promise<Outcome<Driver & { runnerId: RunnerId }>> {
    const runnerId = this.#record.state?.facts.runnerId;
    return runnerId ? succeed({ ...this.#takeovers.driverOf(keyHash), runnerId }) : this.#absent();
  }

  /** Answers an approval; the same answer may come again, another one is refused. */
  async answer(input: AnswerApproval): Promise<Outcome<null>> {
    const state = this.#record.state;
    if (!state) return this.#absent();
    return this.#apply(decideAnswerTo(state, input, this.#rooms, makerOf(this.#sessionId)));
  }

  /** What the Pilot's brain takes: held, on record as a part of what the session costs, or given back. */
  brain(input: BrainStep): Promise<Outcome<TurnGrant | null>> {
    return this.#grants.brain(input);
  }

  /** Puts on record why the session may go on after a breach, and lets it. */
  async overrideBreach(input: OverrideBreach): Promise<Outcome<null>> {
    const state = this.#record.state;
    if (!state) return this.#absent();
    return this.#apply(
      decideOverride(state, input, this.#outgoing.list(), makerOf(this.#sessionId)),
    );
  }

  /** The session as its record says now, and the machine that works on it. */
  async readView(): Promise<Outcome<ToldSession>> {
    const { state } = this.#record;
    return state ? succeed(this.#grants.tell(state)) : this.#absent();
  }

  /** Up to `limit` entries after a position, and the last position there is. */
  async listEntries(after: number, limit: number): Promise<Outcome<EntriesPage>> {
    const state = this.#record.state;
    if (!state) return this.#absent();
    return succeed({
      entries: this.#record.store.listEntries(after, limit),
      last: state.facts.lastPosition,
    });
  }

  /** Stores a batch of consecutive events of this session. The relay has parsed them. */
  async append(runnerId: RunnerId, events: readonly SequencedEvent[]): Promise<AppendReply> {
    const state = this.#record.state;
    if (!state) return { kind: 'refused', code: 'session_not_found' };
    if (state.facts.runnerId !== runnerId) return { kind: 'refused', code: 'forbidden' };
    const append = decideAppend(state.facts, events);
    if (append.kind !== 'accept') return append;
    const chunks = this.#record.append(append.entries, append.upTo);
    this.#viewers.follow(append.entries);
    const told = append.entries.map(({ event }) => event);
    const turnEnded = told.some(({ type }) => type === 'turn/ended');
    this.#grants.follow(told, true);
    await this.#after(chunks, [], turnEnded);
    return { kind: 'stored', upTo: append.upTo };
  }

  /** The last seq stored of this runner; null when the session is not its own. */
  async readCursor(runnerId: RunnerId): Promise<number | null> {
    const facts = this.#record.state?.facts;
    return facts && facts.runnerId === runnerId ? facts.seqUpTo : null;
  }

  /** Where its chain ends. */
  async readChainEnds(): Promise<ChainEnds> {
    return this.#projection.readChainEnds();
  }

  /** Shows text on its way to whoever watches; nothing of it is stored. */
  async showDeltas(runnerId: RunnerId, deltas: readonly TextDelta[]): Promise<void> {
    if (this.#record.state?.facts.runnerId === runnerId) this.#viewers.showDeltas(deltas);
  }

  /** Settles a command. One of an older epoch, or settled before, changes nothing. */
  async recordResult(id: CommandId, result: CommandResult): Promise<void> {
    const command = this.#outgoing.read(id);
    const state = this.#record.state;
    if (!command || !state) return;
    const told = settledResult(command, result, this.#approvals, Date.now());
    const change = decideResult(command, told);
    const events = [...change.events, ...decideLost(command, result, state.view.state)];
    await this.#apply({ kind: 'change', change: { ...change, events } });
  }

  /** Tells viewers of the machine; without any, asks the relay to say no more. */
  async showPresence(presence: Presence): Promise<void> {
    const state = this.#record.state;
    if (this.#viewers.hasAny()) this.#viewers.showPresence(presence);
    else if (state) await this.#relay(state.facts.runnerId).unwatch(this.#sessionId);
  }

  /** Closes the sockets of a credential that was withdrawn. */
  async endViewers(credential: string): Promise<void> {
    await this.#access.end(credential);
  }

  override async fetch(request: Request): Promise<Response> {
    if (!this.#record.state) return new Response(null, { status: 404 });
    const viewer = viewerIdentity.parse(JSON.parse(request.headers.get(VIEWER_HEADER) ?? 'null'));
    const client = await this.#sockets.accept(viewer);
    if (viewer.expiresAt !== null) await this.#alarm.ensure(viewer.expiresAt);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    return this.#sockets.receive(socket, message);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    answerClose(socket, code);
    await this.#sockets.leave(socket);
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.#sockets.leave(socket);
  }

  /** Drives again what a crash or a fault left undone: commands not handed over, rows not in D1. */
  override async alarm(): Promise<void> {
    this.#alarm.fired();
    const expiry = this.#access.endExpired(Date.now());
    if (expiry !== null) await this.#alarm.ensure(expiry);
    if (this.#projection.isBehind()) {
      await this.#projection.run().catch((fault: unknown) => this.#warn('feed.project', fault));
    }
    if ((this.#outgoing.nextDue() ?? Infinity) <= Date.now()) await this.#handOver.run();
    await this.#arm();
  }

  async #apply(
    decision: FeedDecision,
    also: (change: FeedChange) => void = () => {},
  ): Promise<Outcome<null>> {
    if (decision.kind === 'refused')
      return refuse(decision.code, decision.context ?? { sessionId: this.#sessionId });
    if (decision.kind === 'unchanged') return succeed(null);
    const { change } = decision;
    const facts = change.epoch === undefined ? {} : { epoch: change.epoch };
    const chunks = this.#record.write(change.events, Date.now(), facts, () => {
      keepChange(this.#rooms, change, Date.now());
      also(change);
    });
    await this.#after(chunks, change.commands);
    this.#grants.follow(change.events);
    return succeed(null);
  }

  /** After a write: show it, make sure that an alarm stands behind the rest, begin the rest. */
  async #after(
    chunks: readonly Chunk[],
    commands: readonly Command[],
    turnEnded = false,
  ): Promise<void> {
    this.#viewers.showChunks(chunks);
    const armed = this.#arm();
    this.#projection.schedule({ turnEnded });
    if (commands.length > 0) this.ctx.waitUntil(this.#handOver.run().then(() => this.#arm()));
    await armed;
  }

  #arm(): Promise<void> {
    const handOver = this.#outgoing.nextDue() ?? Infinity;
    const project = this.#projection.isBehind() ? Date.now() + PROJECTION_CHECK_MS : Infinity;
    const due = Math.min(handOver, project);
    return due === Infinity ? Promise.resolve() : this.#alarm.ensure(due);
  }

  get #rooms() {
    return { approvals: this.#approvals, outgoing: this.#outgoing };
  }

  #relay(runnerId: RunnerId): RelayCalls {
    return relayOf(this.env, this.#accountId, runnerId);
  }

  #absent(): Outcome<never> {
    return refuse('session_not_found', { sessionId: this.#sessionId });
  }

  #warn(operation: string, fault: unknown): void {
    log('warn', operation, { sessionId: this.#sessionId, fault: describeFault(fault) });
  }
}
