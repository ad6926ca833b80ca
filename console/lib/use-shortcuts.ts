import { useEffect, useRef } from 'react';

/** Keys of a shortcut as they are pressed: `?`, or `g s` for two in a row. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** The second key of a pair counts only this long after the first, in ms. */
const PAIR_WITHIN_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Runs shortcuts, except while somebody types or a modifier makes it the browser's own. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  }, [shortcuts]);
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const paired =
        first && event.timeStamp - first.at < PAIR_WITHIN_MS ? `${first.key} ${event.key}` : null;
      const run = (paired && current.current[paired]) ?? current.current[event.key];
      first = run ? null : { key: event.key, at: event.timeStamp };
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
