import {
  madePairing,
  type MadePairing,
  revokedRunner,
  type RevokedRunner,
} from '../../../protocol/pairing.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about which machines may come. */
export type MachinesApi = {
  /** A code for a new machine, or for one that may come again. */
  makePairing(runnerId: string | undefined): Promise<MadePairing>;
  revokeRunner(runnerId: string): Promise<RevokedRunner>;
};

/** That part of a client whose requests go through `call`. */
export const createMachinesApi = (call: Call): MachinesApi => ({
  makePairing: (runnerId) =>
    call('POST', '/v1/pairings', madePairing, { ...(runnerId && { runnerId }) }),
  revokeRunner: (runnerId) =>
    call('POST', `/v1/runners/${encodeURIComponent(runnerId)}/revoke`, revokedRunner, {}),
});
