import { PING, PONG } from '../../protocol/runner-frames.ts';
import { REFUSALS, refusalOfCloseCode } from '../../protocol/version.ts';
import { decideRetryDelay } from './backoff.ts';

/** A handshake or an answer to a ping that takes longer counts as a dead connection, in ms. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Silence after which the server is asked whether it is there, in ms. */
export const PING_EVERY_MS = 15_000;

/** How the page stands with the server, for the bar that says so. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** Not connected, and trying. `since` is when the last word was heard, in Unix ms. */
  | { kind: 'offline'; since: number }
  /** Closed for good: connecting again cannot help until somebody does something. */
  | { kind: 'ended' };

/** What a socket needs of its surroundings: how to open one, the time, chance. */
export type SocketDeps = {
  open: () => WebSocket;
  now: () => number;
  random: () => number;
  /** Silence after which the server is asked, in ms; for a person who types, a short one. */
  pingEveryMs?: number;
};

/** What a socket tells whoever keeps it. */
export type SocketEvents = {
  opened: () => void;
  text: (text: string) => void;
  /** Binary frames; left out where none are spoken. */
  bytes?: (bytes: ArrayBuffer) => void;
  connection: (connection: Connection) => void;
};

/** The hold on an open socket. */
export type LastingSocket = {
  /** Sends now; false when nothing is open to send on. */
  send: (data: string | Uint8Array<ArrayBuffer>) => boolean;
  /** The server speaks as it should: the connection is live, and the next pause short again. */
  settle: () => void;
  /** Gives this connection up and makes another after a pause. */
  lose: () => void;
  reconnect: () => void;
  /** Gives up, and says so: what it follows is not there to be followed. */
  end: () => void;
  close: () => void;
};

/**
 * Keeps one socket open: bounded handshake, pings that notice a silent death, and reconnection
 * with growing pauses, unless the server closed it with a reason that trying again cannot mend.
 */
export function openLastingSocket(deps: SocketDeps, events: SocketEvents): LastingSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let heardAt = deps.now();
  let closed = false;

  const send = (data: string | Uint8Array<ArrayBuffer>): boolean => {
    if (socket?.readyState !== 1) return false;
    socket.send(data);
    return true;
  };

  const drop = () => {
    clearTimeout(timer);
    const dead = socket;
    // What a socket that was given up still says is not heard: see `connect`.
    socket = null;
    dead?.close();
  };

  const lose = () => {
    drop();
    if (closed) return;
    events.connection({ kind: 'offline', since: heardAt });
    timer = setTimeout(connect, decideRetryDelay(attempt++, deps.random()));
  };

  const end = () => {
    drop();
    if (!closed) events.connection({ kind: 'ended' });
  };

  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (send(PING)) timer = setTimeout(lose, deps.pingEveryMs ?? CONNECT_TIMEOUT_MS);
    }, deps.pingEveryMs ?? PING_EVERY_MS);
  };

  const hear = (data: unknown) => {
    heardAt = deps.now();
    watch();
    if (data instanceof ArrayBuffer) events.bytes?.(data);
    if (typeof data === 'string' && data !== PONG) events.text(data);
  };

  function connect(): void {
    drop();
    if (closed) return;
    const opened = deps.open();
    socket = opened;
    const whileOurs =
      <E extends Event>(react: (event: E) => void) =>
      (event: E) => {
        if (socket === opened) react(event);
      };
    timer = setTimeout(lose, CONNECT_TIMEOUT_MS);
    opened.addEventListener(
      'open',
      whileOurs(() => {
        watch();
        events.opened();
      }),
    );
    opened.addEventListener(
      'message',
      whileOurs((message: MessageEvent<unknown>) => hear(message.data)),
    );
    opened.addEventListener(
      'close',
      whileOurs(({ code }: CloseEvent) => {
        const reason = refusalOfCloseCode(code);
        if (reason !== null && !REFUSALS[reason].reconnect) end();
        else lose();
      }),
    );
  }

  events.connection({ kind: 'connecting' });
  connect();
  return {
    send,
    settle: () => {
      attempt = 0;
      events.connection({ kind: 'live' });
    },
    lose,
    reconnect: () => {
      attempt = 0;
      connect();
    },
    end,
    close: () => {
      closed = true;
      drop();
    },
  };
}
