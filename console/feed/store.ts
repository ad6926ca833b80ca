import { EMPTY_FEED, type FeedState, reduceFeed } from './feed.ts';
import { type Connection, type FeedSocket, openFeedSocket, type SocketDeps } from './socket.ts';

export type FeedSnapshot = { feed: FeedState; connection: Connection };

export type FeedStore = {
  subscribe: (wake: () => void) => () => void;
  read: () => FeedSnapshot;
  /** Tries to connect now instead of after the pause. */
  reconnect: () => void;
  close: () => void;
};

/**
 * Holds one session's feed for the page. Frames are applied as they come, the page is told once
 * a drawn frame: a flood of text costs what the screen can show and no more.
 */
export function createFeedStore(
  deps: SocketDeps & { schedule: (task: () => void) => void },
): FeedStore {
  const watchers = new Set<() => void>();
  let snapshot: FeedSnapshot = { feed: EMPTY_FEED, connection: { kind: 'connecting' } };
  let scheduled = false;
  let socket: FeedSocket | null = null;

  const tell = () => {
    if (scheduled) return;
    scheduled = true;
    deps.schedule(() => {
      scheduled = false;
      for (const wake of watchers) wake();
    });
  };
  // The screen reads this one, which stands still between two drawn frames.
  let shown = snapshot;
  const publish = () => {
    shown = snapshot;
  };
  watchers.add(publish);

  socket = openFeedSocket(deps, {
    cursor: () => snapshot.feed.cursor,
    connection: (connection) => {
      snapshot = { ...snapshot, connection };
      tell();
    },
    frame: (frame) => {
      const hadGap = snapshot.feed.gap;
      snapshot = { ...snapshot, feed: reduceFeed(snapshot.feed, frame) };
      if (snapshot.feed.gap && !hadGap) socket?.resubscribe();
      tell();
    },
  });
  return {
    subscribe: (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    read: () => shown,
    reconnect: () => socket?.reconnect(),
    close: () => socket?.close(),
  };
}
