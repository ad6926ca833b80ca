import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageSummaryQuery } from '../api/queries.ts';
import { windowOf } from '../ledger/window.ts';
import { tellError } from '../errors.ts';
import { cx } from '../lib/class-names.ts';
import { useNow } from '../lib/use-now.ts';
import { Spend } from '../ui/spend.tsx';
import { TodaysBudget } from './todays-budget.tsx';
import { Words } from '../ui/words.tsx';

/** What the strip reads. */
export const todaysSpendQuery = (nowMs: number) =>
  usageSummaryQuery('payer', windowOf('today', nowMs));

/** What today came to so far, one figure for each kind, in a strip that is always there. */
export function Today() {
  const summary = useInfiniteQuery(todaysSpendQuery(useNow('minute')));
  const totals = summary.data?.pages[0]?.totals;
  return (
    <section
      aria-label="Today’s spend"
      className={cx(
        'mb-6 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 rounded-md border bg-raised px-3 py-1.5',
        // The room that its figures take on a phone.
        summary.isPending && 'max-md:min-h-22',
      )}
    >
      <h2 className="text-sm font-semibold text-soft">Today</h2>
      {totals && Object.keys(totals).length === 0 && (
        <span className="text-soft">Nothing was spent yet.</span>
      )}
      {totals && Object.keys(totals).length > 0 && <Spend totals={totals} wordy />}
      {summary.isError && !totals && (
        <span role="alert" className="text-red">
          <Words text={tellError(summary.error).sentence} />
        </span>
      )}
      <TodaysBudget />
      <Link to="/spend" search={{ time: 'today' }} className="ml-auto text-sm text-accent">
        Spend
      </Link>
    </section>
  );
}
