import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NextPage } from '../ui/next-page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

type LedgerProps<Row> = {
  name: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: Row[]; nextCursor: string | null }>>;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
};

/** A ledger in all its states: being read, failed, empty, and with more to come. */
export function Ledger<Row>({ name, query, empty, children }: LedgerProps<Row>) {
  const rows = query.data?.pages.flatMap((page) => page.items);
  return (
    <>
      {query.isPending && <Skeleton label={`Reading the ${name}`} />}
      {query.isError && !rows && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && children(rows)}
      <NextPage query={query} label={`Show older ${name}`} />
    </>
  );
}
