import { useSyncExternalStore } from 'react';

/** What stands above the page; there is one at a time. */
export type Overlay = 'palette' | 'shortcuts' | null;

const watchers = new Set<() => void>();
let current: Overlay = null;

/** Opens an overlay in place of the one that is open; null closes it. */
export function setOverlay(overlay: Overlay): void {
  current = overlay;
  for (const wake of watchers) wake();
}

export const openPalette = () => setOverlay('palette');
export const openShortcutHelp = () => setOverlay('shortcuts');

/** The overlay that is open now. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => current,
  );
}
