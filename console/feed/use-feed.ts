import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionId } from '../../protocol/ids.ts';
import { api } from '../paths.ts';
import { EMPTY_FEED } from './feed.ts';
import { createFeedStore, type FeedSnapshot, type FeedStore } from './store.ts';

const NOTHING: FeedSnapshot = { feed: EMPTY_FEED, connection: { kind: 'connecting' } };
/** A hidden page gets no animation frames: there the record is followed by a slow timer. */
const HIDDEN_EVERY_MS = 500;

function schedule(task: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(task);
  else setTimeout(task, HIDDEN_EVERY_MS);
}

function open(sessionId: SessionId): FeedStore {
  const address = new URL(api.socket(sessionId), location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return createFeedStore({
    open: () => new WebSocket(address),
    now: Date.now,
    random: Math.random,
    schedule,
  });
}

/** Follows one session live while the page that asks is shown. */
export function useFeed(sessionId: SessionId): FeedSnapshot & { reconnect: () => void } {
  const [store, setStore] = useState<FeedStore | null>(null);
  useEffect(() => {
    const opened = open(sessionId);
    setStore(opened);
    // A network that came back is tried at once, not after the rest of a pause.
    const wake = () => opened.reconnect();
    addEventListener('online', wake);
    return () => {
      removeEventListener('online', wake);
      opened.close();
      setStore(null);
    };
  }, [sessionId]);
  const snapshot = useSyncExternalStore(store?.subscribe ?? subscribeToNothing, () =>
    store ? store.read() : NOTHING,
  );
  return { ...snapshot, reconnect: () => store?.reconnect() };
}

const subscribeToNothing = () => () => undefined;
