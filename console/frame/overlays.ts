import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'shortcuts' | null;

const watchers = new Set<() => void>();
let current: Overlay = null;

export function setOverlay(overlay: Overlay): void {
  current = overlay;
  for (const wake of watchers) wake();
}

export const openPalette = () => setOverlay('palette');
export const openShortcutHelp = () => setOverlay('shortcuts');

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => current,
  );
}
