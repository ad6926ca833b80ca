import { consoleFrame, type FeedFrame, feedFrame } from '../../../protocol/console-frames.ts';
import type { EngineEvent, FeedEntry, SequencedEvent } from '../../../protocol/engine-event.ts';
import type { CommandResult } from '../../../protocol/command.ts';
import type { CommandId, SessionId } from '../../../protocol/ids.ts';
import { machineFacts, type MachineFacts } from '../../../protocol/machine.ts';
import { type RelayFrame, relayFrame, runnerFrame } from '../../../protocol/runner-frames.ts';
import { PROTOCOL_VERSION } from '../../../protocol/version.ts';
import type { Ask, RegisteredRunner } from './http.ts';
import { openSocket, TestSocket, until } from './socket.ts';

export const MACHINE: MachineFacts = machineFacts.parse({
  hostname: 'desk',
  platform: 'linux',
  arch: 'x64',
  nodeVersion: '24.0.0',
  pilothouseVersion: '0.1.0',
  homeDirectory: '/home/person',
  limits: { source: null, directories: ['/home/person'], engines: ['rehearsal'], bypass: false },
  engines: [],
  forks: true,
});

/** A runner as the relay sees it: speaks the protocol over a real socket, does no work. */
export class PeerRunner extends TestSocket<RelayFrame> {
  static async connect(runner: RegisteredRunner): Promise<PeerRunner> {
    const { status, socket } = await openSocket(`/v1/runners/${runner.runnerId}/link`, {
      bearer: runner.token,
    });
    if (!socket) throw new Error(`the link was refused with ${status}`);
    return new PeerRunner(socket, (text) => relayFrame.parse(JSON.parse(text)));
  }

  /** Connects and introduces itself with what its outbox holds. */
  static async online(
    runner: RegisteredRunner,
    sessions: readonly { sessionId: SessionId; lastSeq: number }[] = [],
    machine = MACHINE,
  ): Promise<PeerRunner> {
    const peer = await PeerRunner.connect(runner);
    peer.initialize(runner, sessions, PROTOCOL_VERSION, machine);
    await peer.next('initialized');
    return peer;
  }

  initialize(
    runner: RegisteredRunner,
    sessions: readonly { sessionId: SessionId; lastSeq: number }[] = [],
    version: number = PROTOCOL_VERSION,
    machine = MACHINE,
  ): void {
    const { runnerId } = runner;
    this.send({
      type: 'initialize',
      version,
      capabilities: [],
      runnerId,
      machine,
      sessions,
    });
  }

  /** Sends events of one session as a frame, after checking that a runner could have sent it. */
  events(sessionId: SessionId, from: number, events: readonly EngineEvent[]): void {
    this.send(runnerFrame.parse({ type: 'events', events: sequence(sessionId, from, events) }));
  }

  /** Sends events and waits until the relay says that they are stored. */
  async stored(sessionId: SessionId, from: number, events: readonly EngineEvent[]): Promise<void> {
    this.events(sessionId, from, events);
    const upTo = from + events.length - 1;
    await until(() => this.ackedUpTo(sessionId) >= upTo, `an ack up to ${upTo}`);
  }

  ackedUpTo(sessionId: SessionId): number {
    const cursors = this.frames.flatMap((frame) => (frame.type === 'ack' ? frame.cursors : []));
    return Math.max(
      0,
      ...cursors.filter((cursor) => cursor.sessionId === sessionId).map(({ upTo }) => upTo),
    );
  }

  result(id: CommandId, result: CommandResult = { ok: true, value: null }): void {
    this.send({ type: 'result', id, result });
  }
}

export function sequence(
  sessionId: SessionId,
  from: number,
  events: readonly EngineEvent[],
): SequencedEvent[] {
  return events.map((event, index) => ({ sessionId, seq: from + index, at: Date.now(), event }));
}

/** A console that watches one session. */
export class PeerViewer extends TestSocket<FeedFrame> {
  static async connect(sessionId: SessionId, caller: string | Ask): Promise<PeerViewer> {
    const { status, socket } = await openSocket(
      `/v1/sessions/${sessionId}/socket`,
      typeof caller === 'string' ? { bearer: caller } : caller,
    );
    if (!socket) throw new Error(`the socket was refused with ${status}`);
    return new PeerViewer(socket, (text) => feedFrame.parse(JSON.parse(text)));
  }

  static async watching(
    sessionId: SessionId,
    caller: string | Ask,
    after = 0,
  ): Promise<PeerViewer> {
    const viewer = await PeerViewer.connect(sessionId, caller);
    viewer.send(consoleFrame.parse({ type: 'subscribe', after }));
    await viewer.next('snapshot');
    return viewer;
  }

  /** Every entry that came, in the order in which it came. */
  entries(): FeedEntry[] {
    return this.frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries : []));
  }

  async seen(type: string): Promise<FeedEntry> {
    await until(() => this.entries().some(({ event }) => event.type === type), `an entry ${type}`);
    return this.entries().findLast(({ event }) => event.type === type) as FeedEntry;
  }
}
