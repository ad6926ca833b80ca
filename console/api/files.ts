import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { foundFiles } from '../../protocol/find-files.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';

/** Where files are looked for: in a session's checkout, or in a directory of a machine. */
export type FilePlace =
  | { kind: 'session'; sessionId: string }
  | { kind: 'directory'; runnerId: string; path: string };

/** As many as can be looked over at once. */
const SHOWN = 12;

/** The files there by letters of their paths, as the machine has them now. */
export const filesQuery = (place: FilePlace, query: string) =>
  queryOptions({
    queryKey: ['files', place, query],
    queryFn: ({ signal }) =>
      place.kind === 'session'
        ? read(foundFiles, api.files(place.sessionId), { signal, query: { query, limit: SHOWN } })
        : read(foundFiles, api.filesIn(place.runnerId), {
            signal,
            query: { path: place.path, query, limit: SHOWN },
          }),
    staleTime: 3_000,
    gcTime: 10_000,
    placeholderData: keepPreviousData,
    retry: false,
  });
