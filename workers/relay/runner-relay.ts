import { DurableObject } from 'cloudflare:workers';
import { parseFrame } from '../../protocol/codec.ts';
import { ACTING_METHODS, type Command, type CommandResult } from '../../protocol/command.ts';
import type { AccountId, CommandId, RunnerId, SessionId, TurnId } from '../../protocol/ids.ts';
import { HEARTBEAT_MS, type Presence } from '../../protocol/machine.ts';
import {
  PING,
  PONG,
  RUNNER_FRAME_MAX_CHARS,
  runnerFrame,
  type RunnerFrame,
} from '../../protocol/runner-frames.ts';
import {
  CAPABILITIES,
  decideVersion,
  PROTOCOL_VERSION,
  type RefusalReason,
} from '../../protocol/version.ts';
import type { Env } from '../env.ts';
import { codeOfAbsence } from '../lib/absence.ts';
import type { RelayCalls, RelayQuestion, RelayStatus } from '../lib/calls.ts';
import { newId } from '../lib/crypto.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse } from '../lib/outcome.ts';
import { ObjectAlarm } from './alarm.ts';
import {
  answerClose,
  findIntroduced,
  readAttachment,
  runnerAttachment,
  writeAttachment,
} from './attachment.ts';
import { FeedLinks } from './feed-links.ts';
import { parseRelayName } from './identity.ts';
import { AppendLanes } from './lanes.ts';
import { decideRunnerPresence } from './presence.ts';
import { asCommand, Questions } from './questions.ts';
import { refuseSocket, sendFrame } from './refusal.ts';
import { RELAY_STEPS } from './relay-storage.ts';
import { endedByRevoke, RelayStore, waitsWith, WITHDRAWN } from './relay-store.ts';
import { keepTold, type Told } from './told.ts';
import { endShown } from './shown.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { wakeWork } from './wake.ts';

/** How long a connection may stay silent before it introduces itself, in ms. */
const INTRODUCTION_MS = 10_000;
/** How soon results are offered again to a feed that failed, in ms. */
const SETTLE_AGAIN_MS = 2_000;

type Initialize = Extract<RunnerFrame, { type: 'initialize' }>;

/**
 * One runner: owner of its socket and of the commands that it has not answered. A shell: frames
 * are parsed here once and handed to feeds, which trust them.
 */
export class RunnerRelay extends DurableObject<Env> implements RelayCalls {
  readonly #account: AccountId;
  readonly #runnerId: RunnerId;
  readonly #store: RelayStore;
  readonly #alarm: ObjectAlarm;
  readonly #lanes: AppendLanes;
  readonly #questions = new Questions();
  readonly #feeds: FeedLinks;
  readonly #bootedAt = Date.now();
  #heardAt = 0;
  /** The socket whose `initialized` is being prepared: commands wait for it. */
  #introducing: WebSocket | null = null;
  #told: Presence | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { account, id } = parseRelayName(ctx.id.name);
    this.#account = account;
    this.#runnerId = id;
    migrateStorage(ctx.storage, RELAY_STEPS);
    this.#store = new RelayStore(ctx.storage.sql);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#feeds = new FeedLinks(env, account, (operation, sessionId, fault) =>
      this.#log('warn', operation, { sessionId, fault: describeFault(fault) }),
    );
    this.#lanes = new AppendLanes({
      append: (sessionId, events) => this.#feeds.of(sessionId).append(this.#runnerId, events),
      stored: (sessionId, upTo) => this.#say({ type: 'ack', cursors: [{ sessionId, upTo }] }),
      gap: (sessionId, expected) => {
        const socket = this.#current();
        if (socket) this.#refuse(socket, 'protocol_error', `${sessionId} lacks seq ${expected}`);
      },
      refused: (sessionId, code) => this.#refuseSession(sessionId, code),
      failed: (sessionId, fault, waitMs) => {
        this.#feeds.drop(sessionId);
        this.#log('warn', 'relay.append', { sessionId, waitMs, fault: describeFault(fault) });
      },
      wait: (ms) => scheduler.wait(ms),
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
    });
  }

  /** Keeps a command until it has a result, and sends it if the runner is there. Idempotent by id. */
  async enqueue(command: Command): Promise<void> {
    const added = this.#store.keep(command);
    if (this.#store.readLink().revokedAt !== null) return this.#endUnanswered();
    const armed = this.#arm();
    const socket = this.#current();
    if (added && socket && socket !== this.#introducing) this.#sendCommand(socket, command);
    await armed;
  }

  /** Takes an instruction back that was never sent to the machine; says whether it did. */
  async withdraw(turnId: TurnId): Promise<boolean> {
    const waiting = this.#store.listUnanswered().find((queued) => waitsWith(queued, turnId));
    if (waiting) await this.#recordResult(waiting.command.id, WITHDRAWN);
    return waiting !== undefined;
  }

  /** Asks the machine and waits in memory alone: what acts there is remembered there, by its id. */
  async ask(question: RelayQuestion): Promise<Outcome<unknown>> {
    const socket = this.#current();
    if (!socket || this.#presence() === 'offline')
      return refuse(codeOfAbsence(this.#store.readLink().revokedAt), { runnerId: this.#runnerId });
    const command = asCommand(question, newId('cmd'), Date.now());
    this.#store.keepShown(command, Date.now());
    const lost = ACTING_METHODS.has(command.method) ? 'unknown_outcome' : null;
    const answer = this.#questions.wait(command.id, question.timeoutMs, lost);
    sendFrame(socket, { type: 'command', command });
    return answer;
  }

  /** The machine as it is now: presence is computed at each question, never stored. */
  async readStatus(): Promise<RelayStatus> {
    const { machine, revokedAt, ...link } = this.#store.readLink();
    const socket = this.#current();
    const lastSeenAt = socket ? this.#lastHeard(socket) : link.lastSeenAt;
    return { presence: this.#presence(), lastSeenAt, machine, revokedAt };
  }

  /** Tells this session’s viewers of presence from now on; answers how it is. */
  async watch(sessionId: SessionId): Promise<Presence> {
    this.#store.addWatcher(sessionId);
    await this.#arm();
    this.#told ??= this.#presence();
    return this.#presence();
  }

  async unwatch(sessionId: SessionId): Promise<void> {
    this.#store.removeWatcher(sessionId);
  }

  /** The machine has a new token: ends the link of the one before, and lets it come. */
  async admit(): Promise<void> {
    this.#store.writeRevoked(null);
    this.#refuseAll();
  }

  /** The machine may not come any more: ends its link, and whatever waits for it. */
  async revoke(): Promise<void> {
    this.#store.writeRevoked(Date.now());
    this.#refuseAll();
    this.#endUnanswered();
  }

  /** Ends what the machine shows of its terminals; throws, to be asked again, where one was not told. */
  async endShown(): Promise<void> {
    await endShown(this.env, this.#account, this.#runnerId, this.#store);
  }

  /** Not waited for: the feed that is told of a result may be the one that asks. */
  #endUnanswered(): void {
    for (const queued of this.#store.listUnanswered())
      this.ctx.waitUntil(this.#recordResult(queued.command.id, endedByRevoke(queued)));
  }

  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    writeAttachment(server, { state: 'opened', heardAt: Date.now() });
    // An alarm, not a timer: a timer would keep the object awake for as long as it runs.
    await this.#alarm.ensure(Date.now() + INTRODUCTION_MS);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const held = readAttachment(socket, runnerAttachment);
    if (!held || held.state === 'ended') return;
    const parsed = parseFrame(runnerFrame, message, RUNNER_FRAME_MAX_CHARS);
    this.#heardAt = Date.now();
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') return this.#refuse(socket, 'protocol_error', parsed.reason);
    const frame = parsed.value;
    if (frame.type === 'initialize') return this.#initialize(socket, frame);
    if (held.state === 'opened')
      return this.#refuse(socket, 'protocol_error', 'the first frame is initialize');
    switch (frame.type) {
      case 'events': {
        const broken = this.#lanes.accept(frame.events);
        if (broken) this.#refuse(socket, 'protocol_error', `${broken} has a hole in its seqs`);
        return;
      }
      case 'deltas':
        return this.#feeds.showDeltas(this.#runnerId, frame.deltas);
      case 'result':
        return this.#recordResult(frame.id, frame.result);
      case 'machine':
        return this.#store.writeMachine(frame.machine);
      case 'driveReport':
      case 'paneQuestion':
      case 'driveWitness':
        return this.#keepTold(frame);
      default:
        frame satisfies never;
    }
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    answerClose(socket, code);
    await this.#left(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#left(socket);
  }

  async #left(socket: WebSocket): Promise<void> {
    const held = readAttachment(socket, runnerAttachment);
    if (held?.state !== 'initialized') return;
    const lastHeard = this.#lastHeard(socket);
    writeAttachment(socket, { state: 'ended', heardAt: 0 });
    this.#disconnected(lastHeard);
    await this.#tellPresence();
  }

  /** Settles what feeds did not take, ends what waited too long, looks after watched presence. */
  override async alarm(): Promise<void> {
    this.#alarm.fired();
    const nowMs = Date.now();
    this.#store.expire(nowMs);
    for (const { command, result } of this.#store.listUnsettled()) {
      if (result) await this.#settle(command, result);
    }
    for (const socket of this.ctx.getWebSockets()) {
      const held = readAttachment(socket, runnerAttachment);
      if (held?.state === 'opened' && nowMs - held.heardAt >= INTRODUCTION_MS) {
        this.#refuse(socket, 'protocol_error', 'no initialize frame came');
      }
    }
    await this.#tellPresence();
    await this.#arm();
  }

  async #initialize(socket: WebSocket, frame: Initialize): Promise<void> {
    const refusal = decideVersion(frame.version);
    if (refusal) return this.#refuse(socket, refusal);
    if (frame.runnerId !== this.#runnerId) return this.#refuse(socket, 'unauthorized');
    if (this.#store.readLink().revokedAt !== null) return this.#refuse(socket, 'revoked');
    const previous = this.#current();
    if (previous && previous !== socket) refuseSocket(previous, 'replaced');
    this.#lanes.clear();
    this.#introducing = socket;
    writeAttachment(socket, { state: 'initialized', heardAt: Date.now() });
    this.#store.writeLink(true, Date.now());
    this.#store.writeMachine(frame.machine);
    const cursors = await Promise.all(
      frame.sessions.map(({ sessionId }) => this.#readCursor(sessionId)),
    );
    if (this.#introducing !== socket) return;
    this.#introducing = null;
    sendFrame(socket, {
      type: 'initialized',
      version: PROTOCOL_VERSION,
      capabilities: [...CAPABILITIES],
      cursors: cursors.filter((cursor) => cursor !== null),
    });
    for (const { command } of this.#store.listUnanswered()) {
      if (command.deadlineAt > Date.now()) this.#sendCommand(socket, command);
    }
    this.#log('info', 'relay.initialize', { sessions: frame.sessions.length });
    this.ctx.waitUntil(wakeWork(this.env, { accountId: this.#account, runnerId: this.#runnerId }));
    await this.#tellPresence();
  }

  /** What is stored of a session; null when that cannot be said, and the runner's own cursor stands. */
  async #readCursor(sessionId: SessionId): Promise<{ sessionId: SessionId; upTo: number } | null> {
    const upTo = await this.#feeds.attempt('relay.readCursor', sessionId, (feed) =>
      feed.readCursor(this.#runnerId),
    );
    return upTo === undefined || upTo === null ? null : { sessionId, upTo };
  }

  /** What cannot be stored now is not confirmed, and comes again. */
  async #keepTold(told: Told): Promise<void> {
    const from = { accountId: this.#account, runnerId: this.#runnerId };
    this.#say(await keepTold(this.env, from, told));
  }

  #sendCommand(socket: WebSocket, command: Command): void {
    this.#store.markSent(command.id);
    sendFrame(socket, { type: 'command', command });
  }

  /** Says something to the runner where it is there to hear it. */
  #say(frame: Parameters<typeof sendFrame>[1]): void {
    const socket = this.#current();
    if (socket) sendFrame(socket, frame);
  }

  /** Events that no feed will ever take: the runner keeps them and sends them no more. */
  #refuseSession(sessionId: SessionId, code: 'session_not_found' | 'forbidden'): void {
    this.#log('warn', 'relay.append', { sessionId, code });
    this.#say({ type: 'sessionRefused', sessionId, code });
  }

  async #recordResult(id: CommandId, result: CommandResult): Promise<void> {
    if (this.#questions.settle(id, result)) return;
    const command = this.#store.recordResult(id, result);
    if (command) await this.#settle(command, result);
  }

  /** Gives a result to the feed that asked; on failure the alarm offers it again. */
  async #settle(command: Command, result: CommandResult): Promise<void> {
    try {
      if (command.sessionId)
        await this.#feeds.of(command.sessionId).recordResult(command.id, result);
      this.#store.remove(command.id);
    } catch (fault) {
      if (command.sessionId) this.#feeds.drop(command.sessionId);
      this.#log('warn', 'relay.settle', { commandId: command.id, fault: describeFault(fault) });
      await this.#arm();
    }
  }

  async #tellPresence(): Promise<void> {
    const presence = this.#presence();
    if (presence === this.#told) return;
    this.#told = presence;
    await this.#feeds.showPresence(this.#store.listWatchers(), presence);
  }

  #presence(): Presence {
    const socket = this.#current();
    const facts = {
      connected: socket !== null,
      lastHeardAt: socket ? this.#lastHeard(socket) : null,
      believedConnected: this.#store.readLink().connected,
      bootedAt: this.#bootedAt,
    };
    return decideRunnerPresence(facts, Date.now());
  }

  #lastHeard(socket: WebSocket): number {
    const heartbeat = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    const heldAt = readAttachment(socket, runnerAttachment)?.heardAt ?? 0;
    return Math.max(heartbeat, this.#heardAt, heldAt);
  }

  /** The runner's one live link. */
  #current(): WebSocket | null {
    return findIntroduced(this.ctx.getWebSockets());
  }

  /** Those too that have not introduced themselves: a token of before let them in. */
  #refuseAll(): void {
    for (const socket of this.ctx.getWebSockets()) this.#refuse(socket, 'revoked');
  }

  #refuse(socket: WebSocket, reason: RefusalReason, detail: string | null = null): void {
    this.#log('warn', 'relay.refuse', { reason, detail });
    const wasCurrent = socket === this.#current();
    const lastHeard = wasCurrent ? this.#lastHeard(socket) : 0;
    refuseSocket(socket, reason, detail);
    if (!wasCurrent) return;
    this.#disconnected(lastHeard);
    this.ctx.waitUntil(this.#tellPresence());
  }

  #disconnected(lastHeard: number): void {
    this.#introducing = null;
    this.#store.writeLink(false, lastHeard);
    this.#questions.abandon();
    this.#lanes.clear();
  }

  #arm(): Promise<void> {
    const nowMs = Date.now();
    const due = Math.min(
      this.#store.nextDeadline() ?? Infinity,
      this.#store.hasUnsettled() ? nowMs + SETTLE_AGAIN_MS : Infinity,
      this.#store.listWatchers().length > 0 ? nowMs + HEARTBEAT_MS : Infinity,
    );
    return due === Infinity ? Promise.resolve() : this.#alarm.ensure(due);
  }

  #log(level: 'info' | 'warn', operation: string, facts: Parameters<typeof log>[2] = {}): void {
    log(level, operation, { runnerId: this.#runnerId, ...facts });
  }
}
