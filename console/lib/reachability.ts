import { useSyncExternalStore } from 'react';

/** Whether the server answers, as the last request found it. `since` is the last answer's time. */
export type Reachability = { reachable: true } | { reachable: false; since: number };

const REACHABLE: Reachability = { reachable: true };
const watchers = new Set<() => void>();
let current: Reachability = REACHABLE;
let heardAt = Date.now();

/** Notes how a request went. An answer that is an error is an answer. */
export function noteReachability(answered: boolean): void {
  if (answered) heardAt = Date.now();
  if (answered === current.reachable) return;
  current = answered ? REACHABLE : { reachable: false, since: heardAt };
  for (const wake of watchers) wake();
}

/** Whether the server answers, followed live. */
export function useReachability(): Reachability {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => current,
  );
}
