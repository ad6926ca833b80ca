import type { SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import { formatTokens, plural } from '../format/count.ts';
import { formatMoney, formatMoneyExact } from '../format/money.ts';
import { isUntold, listBuckets, tokensTold, wordOfBucket } from '../format/spend.ts';
import { cx } from '../lib/class-names.ts';
import { Tooltip } from './tooltip.tsx';

type Total = NonNullable<SpendTotals[SpendBucket]>;

/** Why a figure is what it is: its kind, every digit, its tokens, and what is missing from it. */
function Explanation({ bucket, total }: { bucket: SpendBucket; total: Total }) {
  const { word, why } = wordOfBucket(bucket);
  return (
    <span className="block">
      <span className="block font-medium capitalize">{word}</span>
      <span className="block">{why}</span>
      {tokensTold(bucket, total) !== null && (
        <span className="figure mt-1 block text-soft">
          {formatMoneyExact(total.microUsd)} · {formatTokens(total.inputTokens)} in ·{' '}
          {formatTokens(total.cacheReadTokens + total.cacheWriteTokens)} cache ·{' '}
          {formatTokens(total.outputTokens)} out
        </span>
      )}
      {total.unpriced > 0 && (
        <span className="block">
          {plural(total.unpriced, 'entry has', 'entries have')} no known price: the sum is at least
          that much short.
        </span>
      )}
    </span>
  );
}

/**
 * One bucket's figure, as a button so that the keyboard reaches its reason too. A sum that misses
 * prices is a lower bound and says so.
 */
export function SpendFigure({
  bucket,
  total,
  wordy = false,
}: {
  bucket: SpendBucket;
  total: Total;
  wordy?: boolean;
}) {
  const { glyph, word, className } = wordOfBucket(bucket);
  const unpriced = total.unpriced > 0 && total.unpriced === total.entries;
  const amount = unpriced ? 'not priced' : formatMoney(total.microUsd);
  return (
    <Tooltip text={<Explanation bucket={bucket} total={total} />}>
      <button
        type="button"
        className={cx('figure inline-flex items-baseline gap-1 whitespace-nowrap', className)}
        data-bucket={bucket}
      >
        <span aria-hidden>{glyph}</span>
        {/* Where no amount is known the kind says it all. */}
        {!(unpriced && wordy && isUntold(bucket)) && (
          <span>
            {!unpriced && total.unpriced > 0 ? '≥ ' : ''}
            {amount}
          </span>
        )}
        <span className={wordy ? 'font-sans tracking-normal' : 'sr-only'}>{word}</span>
      </button>
    </Tooltip>
  );
}

/** All figures of one thing, apart by kind: there is no sum across kinds. */
export function Spend({ totals, wordy }: { totals: SpendTotals; wordy?: boolean }) {
  const buckets = listBuckets(totals);
  if (buckets.length === 0)
    return (
      <span className="text-faint" title="No usage is recorded yet.">
        —
      </span>
    );
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-3">
      {buckets.map((bucket) => {
        const total = totals[bucket];
        return (
          total && <SpendFigure key={bucket} bucket={bucket} total={total} wordy={wordy ?? false} />
        );
      })}
    </span>
  );
}
