import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from './button.tsx';
import { ErrorPanel } from './states.tsx';

/** What of a list in pages leads to its next one. */
type Paged = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
>;

/** The way to the next page of a list, and why it could not be read; nothing where all is shown. */
export function NextPage({ query, label }: { query: Paged; label: string }) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-3 space-y-3 print:hidden">
      {query.isFetchNextPageError && <ErrorPanel error={query.error} />}
      <div className="flex justify-center">
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {label}
        </Button>
      </div>
    </div>
  );
}
