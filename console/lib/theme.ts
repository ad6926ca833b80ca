import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from './storage.ts';

/** `system` follows the machine, also when that changes. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';
const watchers = new Set<() => void>();
let current: Theme = readStored(KEY, z.enum(THEMES)) ?? 'system';

/** Chooses the theme and remembers it; `system` follows the machine's own. */
export function setTheme(theme: Theme): void {
  current = theme;
  writeStored(KEY, theme === 'system' ? null : theme);
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  for (const wake of watchers) wake();
}

/** The theme that was chosen, followed live. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (wake) => {
      watchers.add(wake);
      return () => watchers.delete(wake);
    },
    () => current,
  );
}
