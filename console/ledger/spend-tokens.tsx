import { formatCount } from '../format/locale.ts';
import type { SpendTotals } from '../../protocol/usage.ts';
import { formatTokens } from '../format/count.ts';
import { listBuckets, tokensTold } from '../format/spend.ts';
import { SpendFigure } from '../ui/spend.tsx';

const COLUMNS = [
  ['In', 'inputTokens'],
  ['Cache read', 'cacheReadTokens'],
  ['Cache write', 'cacheWriteTokens'],
  ['Out', 'outputTokens'],
] as const;

/** Figures with the tokens behind them, one line for each kind. */
export function SpendTokens({ totals }: { totals: SpendTotals }) {
  const buckets = listBuckets(totals);
  if (buckets.length === 0) return <p className="text-soft">No usage is recorded yet.</p>;
  return (
    <div className="space-y-3">
      {buckets.map((bucket) => {
        const total = totals[bucket];
        if (!total) return null;
        const told = tokensTold(bucket, total) !== null;
        return (
          <div key={bucket}>
            <SpendFigure bucket={bucket} total={total} wordy />
            {told && (
              <dl className="mt-1 grid grid-cols-4 gap-2 text-sm">
                {COLUMNS.map(([label, field]) => (
                  <div key={field}>
                    <dt className="text-xs text-faint">{label}</dt>
                    <dd className="figure" title={formatCount(total[field])}>
                      {formatTokens(total[field])}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        );
      })}
    </div>
  );
}
