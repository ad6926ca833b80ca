import type { SpendTotals } from '../../protocol/usage.ts';
import { formatTokens, plural } from '../format/count.ts';
import { listBuckets, tokensTold, wordOfBucket } from '../format/spend.ts';
import { SpendFigure } from '../ui/spend.tsx';

/** One figure for each kind, side by side. There is no sum of them, because it would be false. */
export function Totals({ totals }: { totals: SpendTotals }) {
  return (
    <dl className="mb-6 flex flex-wrap overflow-hidden rounded-md border bg-raised">
      {listBuckets(totals).map((bucket) => {
        const total = totals[bucket];
        if (!total) return null;
        const tokens = tokensTold(bucket, total);
        return (
          <div
            key={bucket}
            className="-mb-px min-w-48 flex-1 border-r border-b px-4 py-3 last:border-r-0 sm:max-w-64"
          >
            <dt className="flex items-center gap-1.5 text-sm text-soft">
              {wordOfBucket(bucket).word}
            </dt>
            <dd className="mt-1 text-xl">
              <SpendFigure bucket={bucket} total={total} />
            </dd>
            <dd className="figure mt-1 text-sm text-faint">
              {tokens === null ? 'tokens not known' : `${formatTokens(tokens)} tokens`} ·{' '}
              {plural(total.entries, 'entry', 'entries')}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
