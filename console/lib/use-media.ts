import { useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (wake) => {
      const list = matchMedia(query);
      list.addEventListener('change', wake);
      return () => list.removeEventListener('change', wake);
    },
    () => matchMedia(query).matches,
  );
}

export const PHONE = '(max-width: 767px)';
export const ROOM_FOR_SIDE = '(min-width: 1180px)';
