import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from '../lib/storage.ts';

/**
 * `on` and `off` are the person's choice; `denied` is the browser's, which only its own settings
 * undo; `missing` is a browser, or an address, that has none.
 */
export type Bell = 'on' | 'off' | 'denied' | 'missing';

const KEY = 'notifications';
const watchers = new Set<() => void>();

/** How it stands now: asked anew each time, because the browser's settings change elsewhere. */
export function readBell(): Bell {
  if (!('Notification' in globalThis)) return 'missing';
  if (Notification.permission === 'denied') return 'denied';
  const wanted = readStored(KEY, z.literal(true)) === true;
  return wanted && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Turns it on, which may ask the browser's question: call it from a person's click alone. */
export async function turnBellOn(): Promise<void> {
  if (!('Notification' in globalThis)) return;
  if ((await Notification.requestPermission()) === 'granted') writeStored(KEY, true);
  ring();
}

export function turnBellOff(): void {
  writeStored(KEY, null);
  ring();
}

const ring = () => {
  for (const watcher of watchers) watcher();
};

/** How it stands, followed live. */
export function useBell(): Bell {
  return useSyncExternalStore((wake) => {
    watchers.add(wake);
    window.addEventListener('focus', wake);
    return () => {
      watchers.delete(wake);
      window.removeEventListener('focus', wake);
    };
  }, readBell);
}
