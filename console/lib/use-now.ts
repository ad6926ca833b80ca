import { useSyncExternalStore } from 'react';

type Clock = { subscribe: (wake: () => void) => () => void; read: () => number };

/** One timer per interval, however many watch it, and none while nobody does. */
export function createClock(everyMs: number): Clock {
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let now = Date.now();
  return {
    subscribe(wake) {
      watchers.add(wake);
      timer ??= setInterval(() => {
        now = Date.now();
        for (const watcher of watchers) watcher();
      }, everyMs);
      return () => {
        watchers.delete(wake);
        if (watchers.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
    read() {
      // While nobody watches it is renewed here, but no more often than by the timer: two reads of
      // one drawing must agree.
      if (timer === null && Date.now() - now >= everyMs) now = Date.now();
      return now;
    },
  };
}

const second = createClock(1_000);
const minute = createClock(20_000);

/** The time now, in Unix ms, renewed each second, or each twenty when nothing shows seconds. */
export function useNow(precision: 'second' | 'minute' = 'minute'): number {
  const clock = precision === 'second' ? second : minute;
  return useSyncExternalStore(clock.subscribe, clock.read);
}
