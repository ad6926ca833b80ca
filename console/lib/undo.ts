import { useSyncExternalStore } from 'react';

/** What was just done, in a sentence, and the request that takes it back. */
export type Undoable = { said: string; undo: () => Promise<unknown> };

const watchers = new Set<() => void>();
let offered: Undoable | null = null;

/** Offers to take back what was just done, in place of what was offered before; null offers nothing. */
export function offerUndo(undoable: Undoable | null): void {
  offered = undoable;
  for (const wake of watchers) wake();
}

/** What can be taken back now. */
export function useUndoable(): Undoable | null {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => offered,
  );
}
