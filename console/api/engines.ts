import { queryOptions } from '@tanstack/react-query';
import { engineDetail, engineEntry, engineList, machineEngines } from '../../protocol/engines.ts';
import { accepted } from '../../protocol/http.ts';
import type { EnginePreset } from '../../protocol/preset.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** An approval is given in a terminal beside this page: looked for now and then, in ms. */
const EVERY_MS = 10_000;

/** Everything that a saved engine changes. */
export const ENGINES_KEY = ['engines'] as const;

export const enginesQuery = queryOptions({
  queryKey: ENGINES_KEY,
  queryFn: ({ signal }) => read(engineList, api.engines, { signal }),
  select: ({ items }) => items,
  refetchInterval: EVERY_MS,
});

/** One engine with its versions, the newest first. */
export const engineQuery = (engineId: string) =>
  queryOptions({
    queryKey: [...ENGINES_KEY, 'one', engineId],
    queryFn: ({ signal }) => read(engineDetail, api.engine(engineId), { signal }),
  });

/** How a machine stands with the engines that its runner's own code does not have. */
export const machineEnginesQuery = (runnerId: string) =>
  queryOptions({
    queryKey: [...ENGINES_KEY, 'on', runnerId],
    queryFn: ({ signal }) => read(machineEngines, api.machineEngines(runnerId), { signal }),
    select: ({ engines }) => engines,
    refetchInterval: EVERY_MS,
    retry: false,
  });

/** Saves the next version after `basedOn`; 0 is a new engine. */
export const saveEngine = (preset: EnginePreset, basedOn: number) =>
  send(engineEntry, api.engines, { preset, basedOn });

export const removeEngine = (engineId: string) => send(accepted, api.removeEngine(engineId));
