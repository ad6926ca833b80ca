import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { SessionSummary } from '../../protocol/http.ts';
import type { SessionState } from '../../protocol/session.ts';
import { readStored, writeStored } from '../lib/storage.ts';

const KEY = 'home:looked';

/** Where a session's work is over, for now or for good. */
const AT_REST: ReadonlySet<SessionState> = new Set([
  'idle',
  'parked',
  'finished',
  'stopped',
  'failed',
  'lost',
]);

/**
 * Parts what nobody has to do anything about into what came to rest since somebody last looked, and
 * what was there before. Pure. `lookedAt` in Unix ms; null: nobody ever looked, so nothing is news.
 */
export function decideSince(
  recent: readonly SessionSummary[],
  lookedAt: number | null,
): { fresh: SessionSummary[]; seen: SessionSummary[] } {
  const isFresh = ({ state, updatedAt, dismissedAt }: SessionSummary) =>
    lookedAt !== null && updatedAt > lookedAt && dismissedAt === null && AT_REST.has(state);
  return {
    fresh: recent.filter(isFresh),
    seen: recent.filter((session) => !isFresh(session)),
  };
}

/**
 * When somebody last looked at the home page in this browser, in Unix ms; null for the first time.
 * Looking ends when the page is left or hidden, so what is shown as new stays while it is read.
 */
export function useLookedAt(): { lookedAt: number | null; lookNow: () => void } {
  const [lookedAt, setLookedAt] = useState(() => readStored(KEY, z.int()));
  useEffect(() => {
    const keep = () => writeStored(KEY, Date.now());
    const turn = () => {
      if (document.visibilityState === 'hidden') keep();
      else setLookedAt(readStored(KEY, z.int()));
    };
    document.addEventListener('visibilitychange', turn);
    addEventListener('pagehide', keep);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
  const lookNow = () => {
    const now = Date.now();
    writeStored(KEY, now);
    setLookedAt(now);
  };
  return { lookedAt, lookNow };
}
