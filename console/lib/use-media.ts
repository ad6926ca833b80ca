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

/** Where the rail is a bar at the bottom and cards are pinned to the thumb. */
export const PHONE = '(max-width: 767px)';
/** Where turns, transcript and side panel fit beside each other. */
export const ROOM_FOR_SIDE = '(min-width: 1180px)';
