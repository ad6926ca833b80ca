import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SessionId } from '../../protocol/ids.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { sessionQuery } from '../api/queries.ts';

/**
 * Other pages, a fork's form for one, go by what was last read of a session, and the page of the
 * session has heard more since: whenever its state changes, they know what it knows.
 */
export function useShareView(sessionId: SessionId, view: SessionView | null): void {
  const queryClient = useQueryClient();
  const state = view?.state;
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  }, [view]);
  useEffect(() => {
    const { current } = latest;
    if (current === null || state === undefined) return;
    queryClient.setQueryData(sessionQuery(sessionId).queryKey, (detail) =>
      detail ? { ...detail, view: current } : detail,
    );
  }, [queryClient, sessionId, state]);
}
