import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SessionId } from '../../protocol/ids.ts';
import { Inward } from './inward.ts';
import { isStillThere, type Listener } from './listeners.ts';

/** How long a server on the machine's own loopback may take to accept, in ms. */
const ACCEPT_MS = 10_000;

/** Calls servers of sessions: on the machine's own loopback, or in the network of a session. */
export class Dialer {
  readonly #portsOf: (sessionId: SessionId) => string;
  /** The way into each session's network; it stays open for the next call. */
  readonly #ways = new Map<SessionId, Promise<Inward>>();

  constructor(portsOf: (sessionId: SessionId) => string) {
    this.#portsOf = portsOf;
  }

  /** A connection to a listener. Rejects where it is gone, or does not accept in time. */
  async dial(sessionId: SessionId, listener: Listener): Promise<Socket> {
    const { network, port, address } = listener;
    if (!isStillThere(listener)) throw new Error('the process that listened is gone');
    if (network !== null) return this.#dialInto(sessionId, port, address);
    const socket = connect({ port, host: address, allowHalfOpen: true });
    await once(socket, 'connect', { signal: AbortSignal.timeout(ACCEPT_MS) });
    return socket;
  }

  close(): void {
    for (const way of this.#ways.values())
      way.then(
        (inward) => inward.close(),
        () => undefined,
      );
  }

  async #dialInto(sessionId: SessionId, port: number, address: string): Promise<Socket> {
    const way = await this.#wayOf(sessionId);
    try {
      return await way.dial(port, address);
    } catch (error) {
      // Its session may have begun anew in another place: the next call finds it there.
      this.#ways.delete(sessionId);
      way.close();
      throw error;
    }
  }

  #wayOf(sessionId: SessionId): Promise<Inward> {
    const known = this.#ways.get(sessionId);
    if (known) return known;
    const way = Inward.open(this.#portsOf(sessionId));
    this.#ways.set(sessionId, way);
    way.catch(() => this.#ways.delete(sessionId));
    return way;
  }
}
