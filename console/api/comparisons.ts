import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { runComparison } from '../../protocol/run-compare.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';

/** How often runs that may still be at work are compared again, in ms. */
const COMPARE_EVERY_MS = 10_000;

/** Runs beside each other; asked for once there are two. */
export const comparisonQuery = (sessionIds: readonly string[]) =>
  queryOptions({
    queryKey: ['comparisons', ...sessionIds],
    queryFn: ({ signal }) =>
      read(runComparison, api.comparisons, {
        signal,
        query: { sessions: sessionIds.join(',') },
      }),
    enabled: sessionIds.length >= 2,
    refetchInterval: COMPARE_EVERY_MS,
    placeholderData: keepPreviousData,
  });
