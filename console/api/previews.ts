import { queryOptions } from '@tanstack/react-query';
import { previewList, previewOpened } from '../../protocol/preview.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** How often the machine is asked again while the ports are looked at, in ms. */
const AGAIN_MS = 5_000;

/** The ports that a session's processes listen on, as its machine finds them. */
export const previewsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId, 'previews'],
    queryFn: ({ signal }) => read(previewList, api.previews(sessionId), { signal }),
    retry: false,
    refetchInterval: ({ state: { data } }) => (data ? AGAIN_MS : false),
  });

/** Opens one on the loopback of the session's machine. */
export const openPreview = (sessionId: string, port: number) =>
  send(previewOpened, api.previews(sessionId), { port });
