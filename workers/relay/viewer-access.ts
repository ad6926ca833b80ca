import { and, eq } from 'drizzle-orm';
import { sentenceOf } from '../../protocol/errors.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import { REFUSALS } from '../../protocol/version.ts';
import { openDatabase } from '../db/client.ts';
import { viewedFeeds } from '../db/schema.ts';
import { viewerIdentity, type ViewerIdentity } from '../lib/calls.ts';

type Feed = { accountId: AccountId; sessionId: SessionId };

/**
 * Who watches one feed, and by what right: a right that ends takes its sockets with it. The right
 * is kept in the tags of the socket, which survive the sleep of the object.
 */
export class ViewerAccess {
  readonly #binding: D1Database;
  readonly #feed: Feed;
  readonly #state: DurableObjectState;
  #last: Promise<unknown> = Promise.resolve();

  constructor(binding: D1Database, feed: Feed, state: DurableObjectState) {
    this.#binding = binding;
    this.#feed = feed;
    this.#state = state;
  }

  /** Takes a socket in. Throws, with the socket closed, when D1 cannot be told of it. */
  async accept(socket: WebSocket, viewer: ViewerIdentity): Promise<void> {
    this.#state.acceptWebSocket(socket, [viewer.credential, JSON.stringify(viewer)]);
    try {
      await this.#note(viewer, null);
    } catch (fault) {
      close(socket);
      throw fault;
    }
  }

  /** A socket is going. Throws when D1 cannot be told, which leaves a row too many and no harm. */
  async leave(socket: WebSocket): Promise<void> {
    const viewer = this.#viewerOf(socket);
    if (viewer) await this.#note(viewer, socket);
  }

  /** Closes every socket of a credential that was withdrawn. */
  async end(credential: string): Promise<void> {
    const sockets = this.#state.getWebSockets(credential);
    for (const socket of sockets) close(socket);
    // Not left to their close events: one whose handshake was never answered has none.
    if (sockets[0]) await this.leave(sockets[0]);
  }

  /** Closes what has expired; answers when the next one does (Unix ms), or null. */
  endExpired(nowMs: number): number | null {
    let next: number | null = null;
    for (const socket of this.#state.getWebSockets()) {
      const expiresAt = this.#viewerOf(socket)?.expiresAt ?? null;
      if (expiresAt === null) continue;
      if (expiresAt <= nowMs) close(socket);
      else next = Math.min(next ?? expiresAt, expiresAt);
    }
    return next;
  }

  /**
   * Makes D1 say whether this viewer's credential has a socket here. One after the other, each
   * writing what is so when its turn comes: a quick leaving and coming back ends as listed.
   */
  #note(viewer: ViewerIdentity, leaving: WebSocket | null): Promise<void> {
    const done = this.#last.then(() => this.#write(viewer, leaving));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #write({ credential, actorId }: ViewerIdentity, leaving: WebSocket | null): Promise<void> {
    const database = openDatabase(this.#binding);
    const { accountId, sessionId } = this.#feed;
    if (
      this.#state.getWebSockets(credential).some((socket) => socket !== leaving && isOpen(socket))
    ) {
      const row = { tokenHash: credential, sessionId, accountId, actorId };
      await database.insert(viewedFeeds).values(row).onConflictDoNothing();
      return;
    }
    await database
      .delete(viewedFeeds)
      .where(and(eq(viewedFeeds.tokenHash, credential), eq(viewedFeeds.sessionId, sessionId)));
  }

  #viewerOf(socket: WebSocket): ViewerIdentity | null {
    const tag = this.#state.getTags(socket)[1];
    return tag === undefined ? null : viewerIdentity.parse(JSON.parse(tag));
  }
}

const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.OPEN;

/** Says why, then closes. A socket that is closing already needs neither. */
function close(socket: WebSocket): void {
  if (!isOpen(socket)) return;
  const code = 'unauthenticated';
  socket.send(JSON.stringify({ type: 'failed', code, message: sentenceOf(code) }));
  socket.close(REFUSALS.unauthorized.closeCode, 'unauthorized');
}
