import { WebSocket } from 'ws';
import { PING, PONG } from '../../protocol/runner-frames.ts';

export type ConnectionTimings = {
  /** From the start of the connection to the server's `initialized`. */
  handshakeMs: number;
  heartbeatMs: number;
  /** How long a ping may stay unanswered. */
  pongMs: number;
};

export type ConnectionEvents = {
  opened(): void;
  text(text: string): void;
  /** A binary frame; ignored where nobody asks for them. */
  bytes?(bytes: Uint8Array): void;
  /** Called once, whatever ended it. `status` is the HTTP answer when the upgrade was refused. */
  closed(end: { closeCode: number; reason: string; status: number | null }): void;
};

/** Frames from the cloud are small; anything near this is a fault. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/**
 * One socket to the cloud, from its handshake to its end, with the heartbeat that finds out when
 * it died without a word. Nothing here waits without a bound.
 */
export class Connection {
  readonly #socket: WebSocket;
  readonly #timings: ConnectionTimings;
  readonly #events: ConnectionEvents;
  #handshake: NodeJS.Timeout;
  #ping: NodeJS.Timeout | null = null;
  #pong: NodeJS.Timeout | null = null;
  #status: number | null = null;
  #why = '';
  #closed = false;

  constructor(url: string, token: string, timings: ConnectionTimings, events: ConnectionEvents) {
    this.#timings = timings;
    this.#events = events;
    this.#socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: MAX_PAYLOAD_BYTES,
    });
    this.#handshake = setTimeout(
      () => this.#abort('the server did not answer in time'),
      timings.handshakeMs,
    );
    this.#socket.on('open', () => events.opened());
    this.#socket.on('message', (data: Buffer, binary) => {
      const text = binary ? '' : data.toString();
      if (binary) events.bytes?.(data);
      else if (text === PONG) this.#heard();
      else events.text(text);
    });
    this.#socket.on('unexpected-response', (request, response) => {
      this.#status = response.statusCode ?? null;
      response.resume();
      request.destroy();
      this.#end(1006, `the server answered ${response.statusCode}`);
    });
    // A failed connection is always followed by `close`, which tells how it ended.
    this.#socket.on('error', (error) => {
      if (!this.#why) this.#why = error.message;
    });
    this.#socket.on('close', (code, reason) => this.#end(code, this.#why || reason.toString()));
  }

  /** Bytes that the socket has not yet given to the operating system. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** The handshake is complete: from here the heartbeat watches. */
  settle(): void {
    clearTimeout(this.#handshake);
    this.#ping ??= setInterval(() => this.#beat(), this.#timings.heartbeatMs);
  }

  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  sendBytes(bytes: Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Closes in order, and without waiting for a peer that says nothing. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    setTimeout(() => this.#abort(reason), this.#timings.pongMs).unref();
  }

  #beat(): void {
    this.send(PING);
    this.#pong ??= setTimeout(() => this.#missed(), this.#timings.pongMs);
  }

  #heard(): void {
    if (this.#pong) clearTimeout(this.#pong);
    this.#pong = null;
  }

  /**
   * After work that held the event loop, this timer fires before the answer that has long been
   * in the socket is read; one turn of the loop decides between a dead link and a busy self.
   */
  #missed(): void {
    setTimeout(() => {
      if (this.#pong) this.#abort('the server stopped answering');
    }, 1);
  }

  #abort(why: string): void {
    if (this.#closed) return;
    this.#why = why;
    this.#socket.terminate();
    this.#end(1006, why);
  }

  #end(closeCode: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#handshake);
    if (this.#ping) clearInterval(this.#ping);
    if (this.#pong) clearTimeout(this.#pong);
    this.#events.closed({ closeCode, reason, status: this.#status });
  }
}
