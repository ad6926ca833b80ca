import { queryOptions } from '@tanstack/react-query';
import { checkoutReview, reviewedPatch } from '../../protocol/review.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';

/**
 * What a session changed in its checkout, from its machine. `asOf` names the moment: whatever
 * differs after it is another question.
 */
export const changesQuery = (sessionId: string, asOf: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId, 'changes', asOf],
    queryFn: ({ signal }) => read(checkoutReview, api.changes(sessionId), { signal }),
    staleTime: 10_000,
    retry: false,
  });

/** How one file of it changed; the same tree is the same patch for ever. */
export const changedFileQuery = (sessionId: string, tree: string, path: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId, 'patch', tree, path],
    queryFn: ({ signal }) =>
      read(reviewedPatch, api.changedFile(sessionId), { signal, query: { tree, path } }),
    staleTime: Infinity,
    retry: false,
  });
