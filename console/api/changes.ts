import { queryOptions } from '@tanstack/react-query';
import { checkpointList, type RewindRequest, rewound } from '../../protocol/checkpoints.ts';
import { LAND_TIMEOUT_MS, landed, type LandRequest } from '../../protocol/land.ts';
import { changesAnswer, type ReviewedFile, reviewedPatch } from '../../protocol/review.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** How soon a session that was at work is asked again, in ms. */
const WORKING_EVERY_MS = 2_000;

/** Everything that is known of what a session changed. */
export const sessionChangesKey = (sessionId: string) =>
  ['sessions', 'one', sessionId, 'changes'] as const;

/** Takes what was reviewed further; asking again goes on from where it was. */
export const landChanges = (sessionId: string, request: LandRequest) =>
  send(landed, api.land(sessionId), request, { machineMs: LAND_TIMEOUT_MS });

/** Puts the files of a session back to one of its checkpoints. */
export const rewindFiles = (sessionId: string, request: RewindRequest) =>
  send(rewound, api.rewind(sessionId), request);

/** What they can be put back to; after each turn there is more. */
export const checkpointsQuery = (sessionId: string, turns: number) =>
  queryOptions({
    queryKey: [...sessionChangesKey(sessionId), 'checkpoints', turns],
    queryFn: ({ signal }) => read(checkpointList, api.checkpoints(sessionId), { signal }),
    retry: false,
  });

/**
 * What a session changed in its checkout, from its machine. `asOf` names the moment: whatever
 * differs after it is another question.
 */
export const changesQuery = (sessionId: string, asOf: string) =>
  queryOptions({
    queryKey: [...sessionChangesKey(sessionId), asOf],
    queryFn: ({ signal }) => read(changesAnswer, api.changes(sessionId), { signal }),
    staleTime: 10_000,
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data && 'working' in data ? WORKING_EVERY_MS : false,
    // The page of a session stays as it is until the next answer.
    placeholderData: (before) =>
      before && 'sessionId' in before && before.sessionId === sessionId ? before : undefined,
  });

/** How one file of it changed; the same tree is the same patch for ever. */
export const changedFileQuery = (
  sessionId: string,
  tree: string,
  { path, was }: Pick<ReviewedFile, 'path' | 'was'>,
) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId, 'patch', tree, path],
    queryFn: ({ signal }) =>
      read(reviewedPatch, api.changedFile(sessionId), {
        signal,
        query: { tree, path, was: was ?? undefined },
      }),
    staleTime: Infinity,
    retry: false,
  });
