import { accepted } from '../../../protocol/http.ts';
import type { PilotAsk } from '../../../protocol/pilot.ts';
import {
  pilotDecisionPage,
  pilotView,
  type PilotDecisionRow,
  type PilotView,
} from '../../../protocol/pilot-view.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about a session's Pilot. */
export type PilotApi = {
  readPilot(sessionId: string): Promise<PilotView>;
  listPilotDecisions(sessionId: string, limit: number): Promise<PilotDecisionRow[]>;
  askPilot(sessionId: string, ask: PilotAsk): Promise<void>;
};

/** The Pilot's part of a client whose requests go through `call`. */
export function createPilotApi(call: Call): PilotApi {
  const path = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}/pilot`;
  return {
    readPilot: (sessionId) => call('GET', path(sessionId), pilotView),
    listPilotDecisions: async (sessionId, limit) =>
      (await call('GET', `${path(sessionId)}/decisions?limit=${limit}`, pilotDecisionPage)).items,
    async askPilot(sessionId, ask) {
      await call('POST', path(sessionId), accepted, ask);
    },
  };
}
