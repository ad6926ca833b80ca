import { madePairing, revokedRunner } from '../../protocol/pairing.ts';
import { api } from '../paths.ts';
import { send } from './client.ts';

/** Makes a code that pairs a new machine, or lets a known one come again. It is in this one answer. */
export const makePairing = (runnerId: string | null) =>
  send(madePairing, api.pairings, runnerId === null ? {} : { runnerId });

/** Takes a machine's access back; answers how many sessions that ended. */
export const revokeRunner = (runnerId: string) =>
  send(revokedRunner, api.revokeRunner(runnerId), {});
