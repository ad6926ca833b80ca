import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { checkoutPage } from '../../protocol/checkout.ts';
import { directoryListing, workspaceDescription } from '../../protocol/command.ts';
import {
  me,
  runnerPage,
  sessionDetail,
  sessionPage,
  type UsageGrouping,
  usagePage,
  usageSummary,
} from '../../protocol/http.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';

/** How often a list that can change by itself is read again while it is looked at, in ms. */
export const LIST_EVERY_MS = 4_000;
/** How often what is summed and recorded is read again while it is looked at, in ms. */
export const LEDGER_EVERY_MS = 15_000;
const PAGE_SIZE = 100;
const CHECKOUT_PAGE_SIZE = 20;

/** Who looks. An answer that says nobody does signs the whole console out. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => read(me, api.me, { signal }),
  staleTime: 60_000,
});

/** The machines with their presence as it is when they are asked for. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: ({ signal }) => read(runnerPage, api.runners, { signal, query: { limit: PAGE_SIZE } }),
  select: (page) => page.items,
  refetchInterval: LIST_EVERY_MS,
});

/** The machines that work can be given to: those whose access was not taken back. */
export const usableRunnersQuery = queryOptions({
  ...runnersQuery,
  select: (page) => page.items.filter(({ revokedAt }) => revokedAt === null),
});

/** The newest sessions: what the home page, the tray and the palette look at. */
export const recentSessionsQuery = queryOptions({
  queryKey: ['sessions', 'recent'],
  queryFn: ({ signal }) => read(sessionPage, api.sessions, { signal, query: { limit: PAGE_SIZE } }),
  select: (page) => page.items,
  refetchInterval: LIST_EVERY_MS,
});

/** Every session, page by page, the newest first. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions', 'all'],
  queryFn: ({ signal, pageParam }) =>
    read(sessionPage, api.sessions, { signal, query: { limit: PAGE_SIZE, cursor: pageParam } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  refetchInterval: LIST_EVERY_MS,
});

/** One session with its view: what a page has before its socket is open. */
export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', sessionId],
    queryFn: ({ signal }) => read(sessionDetail, api.session(sessionId), { signal }),
    staleTime: 10_000,
  });

/** What the machine completes a typed path to. Not asked again by itself: the person types on. */
export const directoriesQuery = (runnerId: string, path: string) =>
  queryOptions({
    queryKey: ['runners', runnerId, 'directories', path],
    queryFn: ({ signal }) =>
      read(directoryListing, api.directories(runnerId), { signal, query: { path, limit: 200 } }),
    staleTime: 20_000,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** What the machine says of a directory before a launch there. */
export const workspaceQuery = (runnerId: string, path: string) =>
  queryOptions({
    queryKey: ['runners', runnerId, 'workspace', path],
    queryFn: ({ signal }) =>
      read(workspaceDescription, api.workspace(runnerId), { signal, query: { path } }),
    staleTime: 10_000,
    retry: false,
  });

/** The checkouts on a machine, page by page: it looks into each, so a page is small. */
export const checkoutsQuery = (runnerId: string) =>
  infiniteQueryOptions({
    queryKey: ['runners', runnerId, 'checkouts'],
    queryFn: ({ signal, pageParam }) =>
      read(checkoutPage, api.checkouts(runnerId), {
        signal,
        query: { limit: CHECKOUT_PAGE_SIZE, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: Infinity,
    retry: false,
  });

/** A time of the ledgers: inclusive start and exclusive end in Unix ms, open where undefined. */
export type Window = { from: number | undefined; to: number | undefined };

/** Spend in groups, page by page where there are many. The old figures stay in sight while others are asked for. */
export const usageSummaryQuery = (by: UsageGrouping, window: Window) =>
  infiniteQueryOptions({
    queryKey: ['usage', 'summary', by, window],
    queryFn: ({ signal, pageParam }) =>
      read(usageSummary, api.usageSummary, {
        signal,
        query: { by, limit: PAGE_SIZE, cursor: pageParam, ...window },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: LEDGER_EVERY_MS,
    placeholderData: keepPreviousData,
  });

/** The usage ledger, page by page, the newest entry first. */
export const usageQuery = (window: Window) =>
  infiniteQueryOptions({
    queryKey: ['usage', 'entries', window],
    queryFn: ({ signal, pageParam }) =>
      read(usagePage, api.usage, {
        signal,
        query: { limit: PAGE_SIZE, cursor: pageParam, ...window },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: LEDGER_EVERY_MS,
  });
