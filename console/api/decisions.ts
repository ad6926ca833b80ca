import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  decisionKeyPage,
  madeDecisionKey,
  reportDetail,
  reportPage,
  repositoryPage,
} from '../../protocol/decisions.ts';
import { accepted } from '../../protocol/http.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** How often is looked for a report of a build that ended meanwhile, in ms. */
const EVERY_MS = 10_000;
const PAGE_SIZE = 100;

/** Everything that a new key or a new report changes. */
export const DECISIONS_KEY = ['decisions'] as const;

/** Repositories with the last result of their branches, page by page. */
export const repositoriesQuery = infiniteQueryOptions({
  queryKey: [...DECISIONS_KEY, 'repositories'],
  queryFn: ({ signal, pageParam }) =>
    read(repositoryPage, api.decisionRepositories, {
      signal,
      query: { limit: PAGE_SIZE, cursor: pageParam },
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  refetchInterval: EVERY_MS,
});

/** One repository's results: the first of the list from its name on is it, or it has none. */
export const repositoryQuery = (repository: string) =>
  queryOptions({
    queryKey: [...DECISIONS_KEY, 'repository', repository],
    queryFn: async ({ signal }) => {
      const page = await read(repositoryPage, api.decisionRepositories, {
        signal,
        query: { limit: 1, repository },
      });
      return page.items[0] ?? null;
    },
    refetchInterval: EVERY_MS,
  });

/** One report. It never changes, so it is asked for once. */
export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['decision-reports', reportId],
    queryFn: ({ signal }) => read(reportDetail, api.decisionReport(reportId), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The kept checks of a branch, the one that began last first. */
export const runsQuery = (repository: string, branch: string) =>
  queryOptions({
    queryKey: [...DECISIONS_KEY, 'runs', repository, branch],
    queryFn: ({ signal }) =>
      read(reportPage, api.decisionReports, {
        signal,
        query: { repository, branch, limit: PAGE_SIZE },
      }),
    select: (page) => page.items,
    refetchInterval: EVERY_MS,
  });

/** The keys of a repository's builds, revoked ones too. */
export const decisionKeysQuery = (repository: string) =>
  queryOptions({
    queryKey: [...DECISIONS_KEY, 'keys', repository],
    queryFn: ({ signal }) =>
      read(decisionKeyPage, api.decisionKeys, { signal, query: { repository, limit: PAGE_SIZE } }),
    select: (page) => page.items,
    refetchInterval: EVERY_MS,
  });

/** Makes a key; its token is in this one answer. */
export const makeDecisionKey = (repository: string, name: string) =>
  send(madeDecisionKey, api.decisionKeys, { repository, name });

/** Makes a key worthless, for good. */
export const revokeDecisionKey = (keyId: string) => send(accepted, api.revokeDecisionKey(keyId));
