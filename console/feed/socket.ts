import { parseFrame } from '../../protocol/codec.ts';
import { feedFrame, type FeedFrame } from '../../protocol/console-frames.ts';
import { type Connection, openLastingSocket, type SocketDeps } from '../lib/lasting-socket.ts';

/** What a feed's socket tells, and the one thing that it asks. */
export type FeedEvents = {
  frame: (frame: FeedFrame) => void;
  connection: (connection: Connection) => void;
  /** Where to resume from: asked at each opening. */
  cursor: () => number;
};

/** The hold on an open feed. */
export type FeedSocket = {
  resubscribe: () => void;
  reconnect: () => void;
  /** Gives up, and says so: what it follows is not there to be followed. */
  end: () => void;
  close: () => void;
};

/**
 * Keeps one session's feed open. Frames of an unknown type come from a newer server and are
 * skipped; a malformed one ends the connection, and the next one resumes from the cursor.
 */
export function openFeedSocket(deps: SocketDeps, events: FeedEvents): FeedSocket {
  const subscribe = () =>
    void socket.send(JSON.stringify({ type: 'subscribe', after: events.cursor() }));
  const socket = openLastingSocket(deps, {
    opened: subscribe,
    text: (text) => {
      const parsed = parseFrame(feedFrame, text);
      if (parsed.kind === 'invalid') socket.lose();
      if (parsed.kind !== 'valid') return;
      if (parsed.value.type === 'snapshot') socket.settle();
      events.frame(parsed.value);
    },
    connection: events.connection,
  });
  return {
    resubscribe: subscribe,
    reconnect: socket.reconnect,
    end: socket.end,
    close: socket.close,
  };
}
