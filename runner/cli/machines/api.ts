import { accepted } from '../../../protocol/http.ts';
import {
  madePairing,
  type MadePairing,
  type OpenPairing,
  openPairings,
  revokedRunner,
  type RevokedRunner,
} from '../../../protocol/pairing.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about which machines may come. */
export type MachinesApi = {
  /** A code for a new machine, or for one that may come again. */
  makePairing(runnerId: string | undefined): Promise<MadePairing>;
  /** Codes that wait to be used. */
  listPairings(): Promise<OpenPairing[]>;
  withdrawPairing(runnerId: string): Promise<void>;
  revokeRunner(runnerId: string): Promise<RevokedRunner>;
};

/** That part of a client whose requests go through `call`. */
export const createMachinesApi = (call: Call): MachinesApi => ({
  makePairing: (runnerId) =>
    call('POST', '/v1/pairings', madePairing, { ...(runnerId && { runnerId }) }),
  listPairings: async () => (await call('GET', '/v1/pairings', openPairings)).items,
  withdrawPairing: async (runnerId) => {
    await call('POST', `/v1/pairings/${encodeURIComponent(runnerId)}/withdraw`, accepted, {});
  },
  revokeRunner: (runnerId) =>
    call('POST', `/v1/runners/${encodeURIComponent(runnerId)}/revoke`, revokedRunner, {}),
});
