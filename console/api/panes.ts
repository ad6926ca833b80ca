import { queryOptions } from '@tanstack/react-query';
import { accepted } from '../../protocol/http.ts';
import { paneList } from '../../protocol/panes.ts';
import { takenOver } from '../../protocol/takeover.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** The terminals of a machine that its limits let persons watch, as they are at each look. */
export const panesQuery = (runnerId: string) =>
  queryOptions({
    queryKey: ['panes', runnerId],
    queryFn: () => read(paneList, api.panes(runnerId)),
    retry: false,
  });

/** Takes the keys of a terminal; the answer's key proves it. Throws `terminal_driven` without `force`. */
export const drivePane = (runnerId: string, target: string, force: boolean) =>
  send(takenOver, api.drivePane(runnerId), { target, force });

/** Lets go of a terminal's keys: with the key of whoever has them, or for them, which is `force`. */
export const letGoPane = (runnerId: string, target: string, key: string | null) =>
  send(accepted, api.letGoPane(runnerId), { target, key, force: key === null });
