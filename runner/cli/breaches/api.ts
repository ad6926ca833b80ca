import { accepted, breachPage, type BreachRow } from '../../../protocol/http.ts';
import type { Call } from '../api.ts';

/** Breaches as the command line asks for them. */
export type BreachesApi = {
  listBreaches(query: {
    sessionId: string | undefined;
    open: boolean;
    limit: number;
  }): Promise<{ items: BreachRow[]; nextCursor: string | null }>;
  /** Answers for one; the first word on each stands. */
  overrideBreach(sessionId: string, actId: string, reason: string): Promise<void>;
};

export function createBreachesApi(call: Call): BreachesApi {
  return {
    listBreaches: ({ sessionId, open, limit }) => {
      const query = new URLSearchParams({ limit: String(limit) });
      if (sessionId !== undefined) query.set('sessionId', sessionId);
      if (open) query.set('open', 'true');
      return call('GET', `/v1/breaches?${query}`, breachPage);
    },
    async overrideBreach(sessionId, actId, reason) {
      const path = `/v1/sessions/${sessionId}/breaches/${encodeURIComponent(actId)}/override`;
      await call('POST', path, accepted, { reason });
    },
  };
}
