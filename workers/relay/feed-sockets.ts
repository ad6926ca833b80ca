import { parseFrame } from '../../protocol/codec.ts';
import { CONSOLE_FRAME_MAX_CHARS, consoleFrame } from '../../protocol/console-frames.ts';
import type { RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Presence } from '../../protocol/machine.ts';
import { REFUSALS } from '../../protocol/version.ts';
import type { RelayCalls, ViewerIdentity } from '../lib/calls.ts';
import { writeAttachment } from './attachment.ts';
import type { SessionRecord } from './session-record.ts';
import type { ViewerAccess } from './viewer-access.ts';
import type { Viewers } from './viewers.ts';

type Rooms = {
  sessionId: SessionId;
  record: SessionRecord;
  viewers: Viewers;
  access: ViewerAccess;
  relay(runnerId: RunnerId): RelayCalls;
  failed(operation: string, fault: unknown): void;
};

/** The sockets of one feed, from their coming to their leaving. The relay watches while there is one. */
export class FeedSockets {
  readonly #rooms: Rooms;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  /** Opens a socket for a viewer and answers the viewer's end of it. */
  async accept(viewer: ViewerIdentity): Promise<WebSocket> {
    const { 0: client, 1: server } = new WebSocketPair();
    const accepted = this.#rooms.access.accept(server, viewer);
    writeAttachment(server, { cursor: null, caughtUp: false });
    await accepted;
    return client;
  }

  /** Reads what a viewer sent: where it is in the record. Anything else closes the socket. */
  async receive(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const { record, viewers, relay, sessionId, failed } = this.#rooms;
    const parsed = parseFrame(consoleFrame, message, CONSOLE_FRAME_MAX_CHARS);
    if (parsed.kind === 'unknown') return;
    const { state } = record;
    if (parsed.kind === 'invalid' || !state) {
      const reason = parsed.kind === 'invalid' ? parsed.reason : 'no such session';
      socket.send(JSON.stringify({ type: 'failed', code: 'bad_request', message: reason }));
      socket.close(REFUSALS.protocol_error.closeCode, 'protocol_error');
      return;
    }
    const presence = await relay(state.facts.runnerId)
      .watch(sessionId)
      .catch((fault: unknown): Presence => {
        failed('feed.watch', fault);
        return 'unknown';
      });
    // Read again: the session may have moved on while the relay was asked.
    const { view } = record.state ?? state;
    await viewers.subscribe(socket, parsed.value.after, view, presence);
  }

  /** Forgets a socket that is going. */
  async leave(socket: WebSocket): Promise<void> {
    const { record, viewers, access, relay, sessionId, failed } = this.#rooms;
    viewers.forget(socket);
    await access.leave(socket).catch((fault: unknown) => failed('feed.leave', fault));
    const { state } = record;
    if (state && !viewers.hasAny(socket)) await relay(state.facts.runnerId).unwatch(sessionId);
  }
}
