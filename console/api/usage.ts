import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type SessionReads, usageDays, usageTurns } from '../../protocol/usage-views.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';
import { LEDGER_EVERY_MS, type Window } from './queries.ts';

/** What each payer was charged on each day of a time. */
export const usageDaysQuery = (window: Window) =>
  queryOptions({
    queryKey: ['usage', 'days', window],
    queryFn: ({ signal }) => read(usageDays, api.usageDays, { signal, query: { ...window } }),
    select: ({ items }) => items,
    refetchInterval: LEDGER_EVERY_MS,
    placeholderData: keepPreviousData,
  });

/** What the last turns of some sessions read; asks nothing where there is no session. */
export const usageTurnsQuery = (sessionIds: readonly string[]) =>
  queryOptions({
    queryKey: ['usage', 'turns', sessionIds],
    queryFn: ({ signal }) =>
      read(usageTurns, api.usageTurns, { signal, query: { sessions: sessionIds.join(',') } }),
    select: ({ items }) =>
      new Map<string, SessionReads['turns']>(
        items.map(({ sessionId, turns }) => [sessionId, turns]),
      ),
    enabled: sessionIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: LEDGER_EVERY_MS,
  });
