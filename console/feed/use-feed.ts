import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionId } from '../../protocol/ids.ts';
import { api } from '../paths.ts';
import { createFeedStore, type FeedSnapshot, type FeedStore } from './store.ts';

/** A hidden page gets no animation frames: there the record is followed by a slow timer, in ms. */
const HIDDEN_EVERY_MS = 500;

function schedule(task: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(task);
  else setTimeout(task, HIDDEN_EVERY_MS);
}

function createStore(sessionId: SessionId): FeedStore {
  const address = new URL(api.socket(sessionId), location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return createFeedStore({
    open: () => new WebSocket(address),
    now: Date.now,
    random: Math.random,
    schedule,
  });
}

/** Follows one session live while the page that asks is shown. Another session is another page. */
export function useFeed(sessionId: SessionId): FeedSnapshot & Pick<FeedStore, 'reconnect' | 'end'> {
  const [store] = useState(() => createStore(sessionId));
  const snapshot = useSyncExternalStore(store.subscribe, store.read);
  useEffect(() => {
    // A network that came back is tried at once, not after the rest of a pause.
    addEventListener('online', store.reconnect);
    return () => removeEventListener('online', store.reconnect);
  }, [store]);
  return { ...snapshot, reconnect: store.reconnect, end: store.end };
}
