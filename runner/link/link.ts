import { encodeFrame, parseFrame } from '../../protocol/codec.ts';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { DriveReport } from '../../protocol/drive-report.ts';
import type { DriveWitness } from '../../protocol/drive-witness.ts';
import type { TextDelta } from '../../protocol/engine-event.ts';
import type { CommandId, RunnerId, SessionId } from '../../protocol/ids.ts';
import { HEARTBEAT_MS, type MachineFacts } from '../../protocol/machine.ts';
import type { PaneQuestion, QuestionKept } from '../../protocol/pane-question.ts';
import { relayFrame, type RelayFrame, type RunnerFrame } from '../../protocol/runner-frames.ts';
import {
  CAPABILITIES,
  isCapable,
  PROTOCOL_VERSION,
  REFUSALS,
  refusalOfCloseCode,
  type RefusalReason,
} from '../../protocol/version.ts';
import type { Log } from '../log.ts';
import { decideBackoffMs, LINK_BACKOFF, type Backoff } from './backoff.ts';
import { Connection, type ConnectionTimings } from './connection.ts';
import type { DeltaBuffer } from './deltas.ts';
import type { Outbox, Stream } from './outbox.ts';
import { sentenceOfRefusal } from './refusals.ts';
import type { Sender } from './sender.ts';
import type { SetAside } from './set-aside.ts';
import { refuseUnreadable } from './unreadable.ts';

export const LINK_TIMINGS: ConnectionTimings = {
  handshakeMs: 10_000,
  heartbeatMs: HEARTBEAT_MS,
  pongMs: 10_000,
};

/** Above this much unsent, deltas wait and are joined; events go on. */
const DELTA_HIGH_WATER_BYTES = 64 * 1024;
const DELTA_RETRY_MS = 50;
/** How long acks are collected before they are written, so that not every event costs two commits. */
const SETTLE_ACKS_MS = 100;

export type LinkOptions = {
  /** Address of the server: `http://host:port`. */
  url: string;
  runnerId: RunnerId;
  token: string;
  outbox: Outbox;
  sender: Sender;
  deltas: DeltaBuffer;
  aside: SetAside;
  machine(): MachineFacts;
  onCommand(command: Command): void;
  /** What the cloud has stored of a session moved on. */
  onAcked(stream: Stream): void;
  /** A connection is ready: what waits for a word of the cloud is sent again. */
  onReady?(): void;
  /** The cloud has stored what this write came to. */
  onDriveReported?(id: CommandId): void;
  /** What the cloud has of a question that was sent. */
  onQuestionKept?(kept: QuestionKept): void;
  /** And what moved by it. */
  onDriveWitnessed?(id: CommandId): void;
  /** The server said no and connecting again cannot help. */
  onRefused(reason: RefusalReason, sentence: string): void;
  log: Log;
  now(): number;
  /** Chance in [0, 1), for the jitter of reconnecting. */
  chance(): number;
  timings?: ConnectionTimings;
  backoff?: Backoff;
};

/**
 * The one connection to the cloud. Opens it, keeps it, opens it again; what is sent and when is
 * the sender's decision, so that this holds nothing that a lost connection could lose.
 */
export class Link {
  readonly #options: LinkOptions;
  #connection: Connection | null = null;
  #ready = false;
  #stopped = true;
  #failures = 0;
  #reconnect: NodeJS.Timeout | null = null;
  #pump: NodeJS.Timeout | null = null;
  #pumpQueued = false;
  #settle: NodeJS.Timeout | null = null;
  /** Facts that changed after the hello of a connection that is not ready yet. */
  #machineChanged = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Whether the server has answered `initialize` on the present connection. */
  get connected(): boolean {
    return this.#ready;
  }

  start(): void {
    this.#stopped = false;
    this.#connect();
  }

  /** Closes the connection and opens no other. */
  stop(reason: string): void {
    this.#stopped = true;
    if (this.#reconnect) clearTimeout(this.#reconnect);
    if (this.#pump) clearTimeout(this.#pump);
    this.#settleAcks();
    this.#ready = false;
    // What still arrives finds nobody: the rooms behind it are closing too.
    this.#connection?.close(1000, reason);
    this.#connection = null;
  }

  /** Events of a session up to `lastSeq` are durable. */
  notify(sessionId: SessionId, lastSeq: number): void {
    this.#options.sender.extend(sessionId, lastSeq);
    this.#queuePump();
  }

  pushDelta(delta: TextDelta): void {
    this.#options.deltas.push(delta);
    this.#queuePump();
  }

  /** Sends a command's result; one that cannot be sent now is asked for again on reconnection. */
  sendResult(id: CommandId, result: CommandResult): void {
    this.#send({ type: 'result', id, result });
  }

  /** Sends what a write came to; one that cannot be sent now is sent when a connection is ready. */
  sendDriveReport(report: DriveReport): void {
    this.#send({ type: 'driveReport', report });
  }

  /** Sends a question as it stands; one that cannot be sent now is sent when a connection is ready. */
  sendPaneQuestion(question: PaneQuestion): void {
    this.#send({ type: 'paneQuestion', question });
  }

  /** The same of what moved by it. */
  sendDriveWitness(report: DriveWitness): void {
    this.#send({ type: 'driveWitness', report });
  }

  /** Tells the machine's facts anew; at the next connection when there is none now. */
  sendMachine(): void {
    if (!this.#ready) {
      this.#machineChanged = true;
      return;
    }
    this.#machineChanged = false;
    this.#send({ type: 'machine', machine: this.#options.machine() });
  }

  #connect(): void {
    const { url, runnerId, token, timings = LINK_TIMINGS, log } = this.#options;
    const address = `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/v1/runners/${runnerId}/link`;
    this.#reconnect = null;
    const connection = new Connection(address, token, timings, {
      opened: () => connection.send(encodeFrame(this.#hello())),
      text: (text) => {
        if (this.#connection === connection) this.#receive(connection, text);
      },
      closed: ({ closeCode, reason, status }) => {
        if (this.#connection !== connection) return;
        this.#connection = null;
        this.#ready = false;
        if (this.#stopped) return;
        const refusal =
          refusalOfCloseCode(closeCode) ??
          (status === 401 || status === 403 ? 'unauthorized' : null);
        if (refusal && !REFUSALS[refusal].reconnect) return this.#refuse(refusal);
        this.#failures += 1;
        const delayMs = decideBackoffMs(
          this.#failures,
          this.#options.backoff ?? LINK_BACKOFF,
          this.#options.chance(),
        );
        log(
          'warning',
          'disconnected from the server; what happens meanwhile is kept and sent later',
          {
            reason,
            closeCode,
            retryInMs: delayMs,
          },
        );
        this.#reconnect = setTimeout(() => this.#connect(), delayMs);
      },
    });
    this.#connection = connection;
  }

  #hello(): RunnerFrame {
    this.#machineChanged = false;
    return {
      type: 'initialize',
      version: PROTOCOL_VERSION,
      capabilities: [...CAPABILITIES],
      runnerId: this.#options.runnerId,
      machine: this.#options.machine(),
      sessions: this.#options.sender
        .list()
        .map(({ sessionId, lastSeq }) => ({ sessionId, lastSeq })),
    };
  }

  #receive(connection: Connection, text: string): void {
    const parsed = parseFrame(relayFrame, text);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid') {
      const unreadable = refuseUnreadable(text, parsed.reason);
      if (unreadable) return this.#refuseCommand(unreadable);
      return this.#distrust(connection, parsed.reason);
    }
    this.#handle(connection, parsed.value);
  }

  /** Ends a connection whose other end does not keep to the protocol; the next one may. */
  #distrust(connection: Connection, reason: string): void {
    this.#options.log('error', 'the server sent what this runner cannot take', { reason });
    connection.close(REFUSALS.protocol_error.closeCode, reason.slice(0, 100));
  }

  #handle(connection: Connection, frame: RelayFrame): void {
    const { sender, deltas, onAcked, onCommand, now, outbox, log } = this.#options;
    switch (frame.type) {
      case 'initialized':
        connection.settle();
        sender.open(frame.cursors, !isCapable(frame.capabilities, 'guard'));
        for (const { sessionId } of frame.cursors) onAcked(outbox.read(sessionId));
        deltas.restart();
        this.#ready = true;
        this.#failures = 0;
        log('info', 'connected to the server', { url: this.#options.url });
        if (this.#machineChanged) this.sendMachine();
        this.#options.onReady?.();
        return this.#queuePump();
      case 'ack':
        for (const { sessionId, upTo } of frame.cursors) {
          const stream = sender.acknowledge(sessionId, upTo, now());
          if (!stream) return this.#distrust(connection, `an ack of ${upTo}, which was never sent`);
          onAcked(stream);
        }
        this.#settle ??= setTimeout(() => this.#settleAcks(), SETTLE_ACKS_MS);
        return this.#pumpNow();
      case 'command':
        this.#takeUp(frame.command.sessionId);
        return onCommand(frame.command);
      case 'driveReported':
        return this.#options.onDriveReported?.(frame.id);
      case 'questionKept':
        return this.#options.onQuestionKept?.(frame.kept);
      case 'driveWitnessed':
        return this.#options.onDriveWitnessed?.(frame.id);
      case 'sessionRefused':
        return this.#setAside(frame.sessionId, frame.code);
      case 'refused':
        if (!REFUSALS[frame.reason].reconnect) return this.#refuse(frame.reason);
        log('warning', frame.message, { reason: frame.reason });
        return connection.close(REFUSALS[frame.reason].closeCode, frame.reason);
      default:
        return frame satisfies never;
    }
  }

  #settleAcks(): void {
    if (this.#settle) clearTimeout(this.#settle);
    this.#settle = null;
    this.#options.outbox.settle();
  }

  /** Waiting for it is hopeless and closing the link would bring it again: it gets its answer. */
  #refuseCommand({ id, method, result }: NonNullable<ReturnType<typeof refuseUnreadable>>): void {
    this.#options.log('warning', 'a command of a newer server was refused', {
      command: id,
      method,
    });
    this.sendResult(id, result);
  }

  #setAside(sessionId: SessionId, code: string): void {
    const { aside, sender, now, log } = this.#options;
    sender.drop(sessionId);
    if (!aside.add({ sessionId, code, at: now() })) return;
    log('error', 'the server does not take this session’s events; they are kept here, unsent', {
      session: sessionId,
      code,
    });
  }

  /** A command for a session proves that the server has it again. */
  #takeUp(sessionId: SessionId | null): void {
    const { aside, sender, outbox } = this.#options;
    if (sessionId === null || !aside.remove(sessionId)) return;
    sender.extend(sessionId, outbox.read(sessionId).lastSeq);
    this.#queuePump();
  }

  #refuse(reason: RefusalReason): void {
    this.stop(reason);
    this.#options.onRefused(reason, sentenceOfRefusal(reason));
  }

  #send(frame: RunnerFrame): void {
    if (this.#ready) this.#connection?.send(encodeFrame(frame));
  }

  /** Lets everything of one turn of the event loop go out together. */
  #queuePump(): void {
    if (this.#pumpQueued || !this.#ready) return;
    this.#pumpQueued = true;
    queueMicrotask(() => {
      this.#pumpQueued = false;
      this.#pumpNow();
    });
  }

  #pumpNow(): void {
    if (this.#pump) clearTimeout(this.#pump);
    this.#pump = null;
    const connection = this.#connection;
    if (!connection || !this.#ready) return;
    const { sender, deltas, now } = this.#options;
    let round = sender.next(now());
    while (round.frames.length > 0) {
      for (const frame of round.frames) connection.send(frame);
      round = sender.next(now());
    }
    const congested = connection.bufferedBytes > DELTA_HIGH_WATER_BYTES;
    if (deltas.waiting && !congested) this.#send({ type: 'deltas', deltas: deltas.take() });
    const wakeAt = deltas.waiting
      ? Math.min(round.wakeAt ?? Infinity, now() + DELTA_RETRY_MS)
      : round.wakeAt;
    if (wakeAt !== null)
      this.#pump = setTimeout(() => this.#pumpNow(), Math.max(1, wakeAt - now()));
  }
}
