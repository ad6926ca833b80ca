import { queryOptions } from '@tanstack/react-query';
import { accepted } from '../../protocol/http.ts';
import { madePairing, openPairings, revokedRunner } from '../../protocol/pairing.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';
import { LIST_EVERY_MS } from './queries.ts';

/** Codes that wait to be used, without the codes themselves. */
export const pairingsQuery = queryOptions({
  queryKey: ['pairings'],
  queryFn: ({ signal }) => read(openPairings, api.pairings, { signal }),
  select: (answer) => answer.items,
  refetchInterval: LIST_EVERY_MS,
});

/** Makes the code worthless that would let this machine in. */
export const withdrawPairing = (runnerId: string) =>
  send(accepted, api.withdrawPairing(runnerId), {});

/** Makes a code that pairs a new machine, or lets a known one come again. It is in this one answer. */
export const makePairing = (runnerId: string | null) =>
  send(madePairing, api.pairings, runnerId === null ? {} : { runnerId });

/** Takes a machine's access back; answers how many sessions that ended. */
export const revokeRunner = (runnerId: string) =>
  send(revokedRunner, api.revokeRunner(runnerId), {});
