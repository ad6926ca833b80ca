import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { DriveReport } from '../../protocol/drive-report.ts';
import type { DriveWitness } from '../../protocol/drive-witness.ts';
import type {
  EngineEvent,
  EventOf,
  SequencedEvent,
  TextDelta,
} from '../../protocol/engine-event.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { decideAccept } from '../../protocol/delivery.ts';
import {
  PING,
  PONG,
  runnerFrame,
  type RelayFrame,
  type RunnerFrame,
} from '../../protocol/runner-frames.ts';
import { until } from './until.ts';

/**
 * The cloud's end of the link, over a real socket: stores events as a feed does, acks what is
 * stored, resends unanswered commands on reconnection. Every fault of a network is a switch.
 */
export class FakeRelay {
  readonly stored = new Map<SessionId, SequencedEvent[]>();
  readonly deltas: TextDelta[] = [];
  readonly driveReports: DriveReport[] = [];
  readonly driveWitnesses: DriveWitness[] = [];
  readonly results = new Map<CommandId, CommandResult[]>();
  readonly hellos: Extract<RunnerFrame, { type: 'initialize' }>[] = [];
  readonly faults: string[] = [];
  readonly tokens: (string | undefined)[] = [];
  machine: Extract<RunnerFrame, { type: 'machine' }>['machine'] | null = null;
  frames = 0;
  pings = 0;
  /** What it says that it can do. */
  capabilities: readonly string[] = [];
  /** Switches: what the network or the server does wrong. */
  acking = true;
  answeringPings = true;
  answeringHello = true;
  /** Called once the answer to a ping is in the runner's socket. */
  afterPong: (() => void) | null = null;
  upgrade: 'accept' | 'hang' | 'unauthorized' | { says: string } = 'accept';
  refusal: Extract<RelayFrame, { type: 'refused' }> | null = null;
  readonly #pending = new Map<CommandId, Command>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #socket: WebSocket | null = null;

  private constructor() {
    const sockets = new WebSocketServer({ noServer: true });
    this.#server = createServer();
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('upgrade', (request, socket, head) => {
      this.tokens.push(request.headers.authorization);
      if (this.upgrade === 'unauthorized') socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      if (typeof this.upgrade === 'object') socket.end(this.upgrade.says);
      if (this.upgrade !== 'accept') return;
      sockets.handleUpgrade(request, socket, head, (connection) => this.#accept(connection));
    });
  }

  static async listen(port = 0): Promise<FakeRelay> {
    const relay = new FakeRelay();
    await new Promise<void>((resolve) => relay.#server.listen(port, '127.0.0.1', resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connected(): boolean {
    return this.#socket?.readyState === 1;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Cuts the connection without a close frame, as a network does. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#socket = null;
  }

  closeWith(code: number): void {
    this.#socket?.close(code);
  }

  send(frame: RelayFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  /** Sends raw text, for frames that no server of ours would write. */
  sendText(text: string): void {
    this.#socket?.send(text);
  }

  /** Queues a command as the relay does: sent now, and again until it is answered. */
  command(command: Command): void {
    this.#pending.set(command.id, command);
    this.send({ type: 'command', command });
  }

  /** Sends a command once more although it was answered, as after a lost result. */
  resend(command: Command): void {
    this.send({ type: 'command', command });
  }

  async result(id: CommandId): Promise<CommandResult> {
    return until(`the result of ${id}`, () => this.results.get(id)?.[0] ?? null, {
      tell: () => this.tell(),
    });
  }

  events(sessionId: SessionId): EngineEvent[] {
    return (this.stored.get(sessionId) ?? []).map(({ event }) => event);
  }

  ofType<T extends EngineEvent['type']>(sessionId: SessionId, type: T): EventOf<T>[] {
    return this.events(sessionId).filter((event) => event.type === type) as EventOf<T>[];
  }

  async event<T extends EngineEvent['type']>(
    sessionId: SessionId,
    type: T,
    where: (event: EventOf<T>) => boolean = () => true,
    withinMs = 15_000,
  ): Promise<EventOf<T>> {
    const find = () => this.ofType(sessionId, type).find(where) ?? null;
    return until(`${type} of ${sessionId}`, find, { withinMs, tell: () => this.tell() }) as Promise<
      EventOf<T>
    >;
  }

  tell(): string {
    const lists = [...this.stored].map(
      ([id, events]) => `${id}: ${events.map(({ event }) => event.type).join(' ')}`,
    );
    return `Stored: ${lists.join('; ') || 'nothing'}. Faults: ${this.faults.join('; ') || 'none'}.`;
  }

  /** Acks everything stored: after `acking` was off. */
  ackAll(): void {
    const cursors = [...this.stored].map(([sessionId, events]) => ({
      sessionId,
      upTo: events.length,
    }));
    if (cursors.length > 0) this.send({ type: 'ack', cursors });
  }

  #accept(socket: WebSocket): void {
    this.#socket?.close(4005);
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(socket, data.toString()));
    socket.on('error', (error) => this.faults.push(error.message));
  }

  #receive(socket: WebSocket, text: string): void {
    this.frames += 1;
    if (text === PING) {
      this.pings += 1;
      if (this.answeringPings) socket.send(PONG, () => this.afterPong?.());
      return;
    }
    const parsed = runnerFrame.safeParse(JSON.parse(text));
    if (!parsed.success)
      return void this.faults.push(`${parsed.error.message} in ${text.slice(0, 300)}`);
    this.#handle(parsed.data);
  }

  #handle(frame: RunnerFrame): void {
    switch (frame.type) {
      case 'initialize':
        this.hellos.push(frame);
        if (this.refusal) return this.send(this.refusal);
        if (!this.answeringHello) return;
        this.send({
          type: 'initialized',
          version: 1,
          capabilities: [...this.capabilities],
          cursors: frame.sessions.map(({ sessionId }) => ({
            sessionId,
            upTo: this.stored.get(sessionId)?.length ?? 0,
          })),
        });
        for (const command of this.#pending.values()) this.send({ type: 'command', command });
        return;
      case 'events':
        return this.#store(frame.events);
      case 'deltas':
        return void this.deltas.push(...frame.deltas);
      case 'result':
        this.#pending.delete(frame.id);
        return void this.results.set(frame.id, [
          ...(this.results.get(frame.id) ?? []),
          frame.result,
        ]);
      case 'machine':
        this.machine = frame.machine;
        return;
      case 'driveWitness':
        return void this.driveWitnesses.push(frame.report);
      case 'driveReport':
        return void this.driveReports.push(frame.report);
      case 'paneQuestion':
        return;
      default:
        return frame satisfies never;
    }
  }

  #store(events: readonly SequencedEvent[]): void {
    const [first] = events;
    if (!first) return;
    const stored = this.stored.get(first.sessionId) ?? [];
    const decision = decideAccept(stored.length, first.seq, events.at(-1)?.seq ?? 0);
    if (decision.kind === 'gap')
      return void this.faults.push(`gap: expected ${decision.expected}, got ${first.seq}`);
    if (decision.kind === 'accept') stored.push(...events.slice(decision.skip));
    this.stored.set(first.sessionId, stored);
    if (this.acking)
      this.send({ type: 'ack', cursors: [{ sessionId: first.sessionId, upTo: stored.length }] });
  }
}
