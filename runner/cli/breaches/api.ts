import { accepted, knownBreachPage, type BreachRow } from '../../../protocol/http.ts';
import type { Call } from '../api.ts';

/** Breaches as the command line asks for them. */
export type BreachesApi = {
  listBreaches(query: {
    sessionId: string | undefined;
    open: boolean;
    limit: number;
  }): Promise<{ items: BreachRow[]; nextCursor: string | null }>;
  /** Answers for one; the first word on each stands. */
  overrideBreach(doerId: string, actId: string, reason: string): Promise<void>;
};

export function createBreachesApi(call: Call): BreachesApi {
  return {
    listBreaches: ({ sessionId, open, limit }) => {
      const query = new URLSearchParams({ limit: String(limit), doer: 'any' });
      if (sessionId !== undefined) query.set('sessionId', sessionId);
      if (open) query.set('open', 'true');
      return call('GET', `/v1/breaches?${query}`, knownBreachPage);
    },
    async overrideBreach(doerId, actId, reason) {
      const of = doerId.startsWith('ins_') ? 'instances' : 'sessions';
      const path = `/v1/${of}/${doerId}/breaches/${encodeURIComponent(actId)}/override`;
      await call('POST', path, accepted, { reason });
    },
  };
}
