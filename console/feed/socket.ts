import { parseFrame } from '../../protocol/codec.ts';
import { feedFrame, type FeedFrame } from '../../protocol/console-frames.ts';
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
};

/** What a socket tells, and the one thing that it asks. */
export type SocketEvents = {
  frame: (frame: FeedFrame) => void;
  connection: (connection: Connection) => void;
  /** Where to resume from: asked at each opening. */
  cursor: () => number;
};

/** The hold on an open socket. */
export type FeedSocket = {
  resubscribe: () => void;
  reconnect: () => void;
  /** Gives up, and says so: what it follows is not there to be followed. */
  end: () => void;
  close: () => void;
};

/**
 * Keeps one session's socket open: bounded handshake, pings that notice a silent death, and
 * reconnection with growing pauses. Frames of an unknown type come from a newer server and are
 * skipped; a malformed one ends the connection, and the next one resumes from the cursor.
 */
export function openFeedSocket(deps: SocketDeps, events: SocketEvents): FeedSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let heardAt = deps.now();
  let closed = false;

  const subscribe = () => {
    if (socket?.readyState !== 1) return;
    socket.send(JSON.stringify({ type: 'subscribe', after: events.cursor() }));
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
      if (socket?.readyState !== 1) return;
      socket.send(PING);
      timer = setTimeout(lose, CONNECT_TIMEOUT_MS);
    }, PING_EVERY_MS);
  };

  const hear = (text: unknown) => {
    heardAt = deps.now();
    watch();
    if (text === PONG || typeof text !== 'string') return;
    const parsed = parseFrame(feedFrame, text);
    if (parsed.kind === 'invalid') lose();
    if (parsed.kind !== 'valid') return;
    if (parsed.value.type === 'snapshot') {
      attempt = 0;
      events.connection({ kind: 'live' });
    }
    events.frame(parsed.value);
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
        subscribe();
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
    resubscribe: subscribe,
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
