import { useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { takenOver } from '../../protocol/takeover.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { inTab, readStored, writeStored } from '../lib/storage.ts';

/** What proves that this tab drives a session: the key, and the epoch that it is good for. */
export type Lease = z.infer<typeof takenOver>;

const nameOf = (sessionId: string): string => `lease:${sessionId}`;
const watchers = new Set<() => void>();
/** For a browser that keeps nothing: a reload then watches, and takes over again to drive. */
const held = new Map<string, Lease>();

/** Keeps a lease for this tab, across reloads; null forgets it. */
export function holdLease(sessionId: string, lease: Lease | null): void {
  if (lease) held.set(sessionId, lease);
  else held.delete(sessionId);
  writeStored(nameOf(sessionId), lease, inTab);
  for (const wake of watchers) wake();
}

/** The key with which this tab drives the session now; null while it does not. */
export function readLeaseKey(sessionId: string, takeover: SessionView['takeover']): string | null {
  if (!takeover) return null;
  const lease = held.get(sessionId) ?? readStored(nameOf(sessionId), takenOver, inTab);
  return lease?.epoch === takeover.epoch ? lease.key : null;
}

/** Follows `readLeaseKey`. */
export function useLeaseKey(sessionId: string, takeover: SessionView['takeover']): string | null {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => readLeaseKey(sessionId, takeover),
  );
}
