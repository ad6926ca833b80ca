import { EMPTY_FEED, type FeedState, reduceFeed } from './feed.ts';
import type { Connection, SocketDeps } from '../lib/lasting-socket.ts';
import { type FeedSocket, openFeedSocket } from './socket.ts';

/** What a page draws: one session’s feed and the connection that it comes by. */
export type FeedSnapshot = { feed: FeedState; connection: Connection };

export type FeedStore = {
  /** The socket is open while somebody watches, and resumes where it was when watched again. */
  subscribe: (wake: () => void) => () => void;
  read: () => FeedSnapshot;
  /** Tries to connect now instead of after the pause. */
  reconnect: () => void;
  /** Stops trying: there is nothing to follow. */
  end: () => void;
};

/**
 * Holds one session's feed for the page. Frames are applied as they come, the page is told once
 * a drawn frame: a flood of text costs what the screen can show and no more.
 */
export function createFeedStore(
  deps: SocketDeps & { schedule: (task: () => void) => void },
): FeedStore {
  const watchers = new Set<() => void>();
  let current: FeedSnapshot = { feed: EMPTY_FEED, connection: { kind: 'connecting' } };
  // What the screen reads: it stands still between two drawn frames.
  let shown = current;
  let scheduled = false;
  let socket: FeedSocket | null = null;

  const change = (next: FeedSnapshot) => {
    current = next;
    if (scheduled) return;
    scheduled = true;
    deps.schedule(() => {
      scheduled = false;
      shown = current;
      for (const wake of watchers) wake();
    });
  };
  const open = () =>
    openFeedSocket(deps, {
      cursor: () => current.feed.cursor,
      connection: (connection) => change({ ...current, connection }),
      frame: (frame) => {
        const hadGap = current.feed.gap;
        change({ ...current, feed: reduceFeed(current.feed, frame) });
        if (current.feed.gap && !hadGap) socket?.resubscribe();
      },
    });
  return {
    subscribe: (wake) => {
      watchers.add(wake);
      socket ??= open();
      return () => {
        watchers.delete(wake);
        if (watchers.size > 0) return;
        socket?.close();
        socket = null;
      };
    },
    read: () => shown,
    reconnect: () => socket?.reconnect(),
    end: () => socket?.end(),
  };
}
