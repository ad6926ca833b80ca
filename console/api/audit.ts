import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accessPage, approvalPage } from '../../protocol/audit.ts';
import { knownActPage, knownBreachPage } from '../../protocol/http.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';
import { LEDGER_EVERY_MS, type Window } from './queries.ts';

const PAGE_SIZE = 100;

export type Filter = Readonly<Record<string, string | number | undefined>>;

/** A ledger page by page, the newest first. */
function ledgerQuery<S extends z.ZodType<{ nextCursor: string | null }>>(
  schema: S,
  path: string,
  filter: Filter,
) {
  return infiniteQueryOptions({
    queryKey: [path, filter],
    queryFn: ({ signal, pageParam }) =>
      read(schema, path, { signal, query: { limit: PAGE_SIZE, cursor: pageParam, ...filter } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: LEDGER_EVERY_MS,
  });
}

/** What sessions did that leaves their checkout. */
export const actsQuery = (filter: Filter) => ledgerQuery(knownActPage, api.acts, filter);
/** What of it their policy forbids. */
export const breachesQuery = (filter: Filter) =>
  ledgerQuery(knownBreachPage, api.breaches, { doer: 'any', ...filter });
/** What engines asked for, and who answered from where. */
export const approvalsQuery = (filter: Filter) => ledgerQuery(approvalPage, api.approvals, filter);
/** Who changed what. */
export const accessQuery = (filter: Filter) => ledgerQuery(accessPage, api.access, filter);

/** Most rows that are read for a page that shows a ledger whole. */
export const WHOLE_MAX = 2_000;
const WHOLE_PAGE = 500;

/** Every row of a ledger up to a limit, and whether that is all of them. */
async function readWhole<Row>(
  schema: z.ZodType<{ items: Row[]; nextCursor: string | null }>,
  path: string,
  filter: Filter,
  signal: AbortSignal,
): Promise<{ items: Row[]; more: boolean }> {
  const items: Row[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: WHOLE_PAGE, cursor, ...filter };
    const page = await read(schema, path, { signal, query });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < WHOLE_MAX);
  return { items, more: cursor !== undefined };
}

/** The ledgers of a time, whole as far as a page can show them. */
export const auditReportQuery = (window: Window) =>
  queryOptions({
    queryKey: ['audit', 'report', window],
    queryFn: async ({ signal }) => {
      const filter = { ...window };
      const [acts, breaches, approvals] = await Promise.all([
        readWhole(knownActPage, api.acts, filter, signal),
        readWhole(knownBreachPage, api.breaches, { doer: 'any', ...filter }, signal),
        readWhole(approvalPage, api.approvals, filter, signal),
      ]);
      return {
        acts: acts.items,
        breaches: breaches.items,
        approvals: approvals.items,
        more: acts.more || breaches.more || approvals.more,
      };
    },
    placeholderData: keepPreviousData,
  });

/** Everything that a person's word for a breach changes. */
export const OPEN_BREACHES_KEY = ['breaches', 'open'] as const;

/** Breaches of operators that nobody has answered for; those of sessions stand in the list of sessions. */
export const heldOperatorsQuery = queryOptions({
  queryKey: [...OPEN_BREACHES_KEY, 'operators'],
  queryFn: async ({ signal }) => {
    const filter = { open: 'true', doer: 'operator' };
    return (await readWhole(knownBreachPage, api.breaches, filter, signal)).items;
  },
  refetchInterval: LEDGER_EVERY_MS,
});
