import { queryOptions } from '@tanstack/react-query';
import { accepted } from '../../protocol/http.ts';
import { isPilotOver, type PilotAsk } from '../../protocol/pilot.ts';
import { pilotDecisionPage, pilotView } from '../../protocol/pilot-view.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** How often a Pilot is looked at while its page is, in ms. */
const PILOT_EVERY_MS = 2_000;
const DECISIONS = 50;

/** A session's Pilot and its last decisions, read again until it is over. */
export const pilotQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId, 'pilot'],
    queryFn: async ({ signal }) => {
      const [pilot, { items }] = await Promise.all([
        read(pilotView, api.pilot(sessionId), { signal }),
        read(pilotDecisionPage, api.pilotDecisions(sessionId), {
          signal,
          query: { limit: DECISIONS },
        }),
      ]);
      return { pilot, decisions: items };
    },
    refetchInterval: ({ state }) =>
      state.data && isPilotOver(state.data.pilot.status) ? false : PILOT_EVERY_MS,
  });

/** Pauses, resumes, stops, confirms or changes the objective; the next look tells what came of it. */
export const askPilot = (sessionId: string, ask: PilotAsk) =>
  send(accepted, api.pilot(sessionId), ask);
