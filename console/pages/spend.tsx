import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { UsageGrouping, UsageSummary } from '../../protocol/http.ts';
import type { SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import { usageQuery, usageSummaryQuery, type Window } from '../api/queries.ts';
import { formatTokens } from '../format/count.ts';
import { listBuckets, tokensTold } from '../format/spend.ts';
import { Totals } from '../ledger/totals.tsx';
import { UsageTable } from '../ledger/usage-table.tsx';
import { PeriodChoice } from '../ledger/period-choice.tsx';
import type { SpendSearch } from '../ledger/search.ts';
import { windowOfPeriod } from '../ledger/window.ts';
import { useNow } from '../lib/use-now.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { SpendFigure } from '../ui/spend.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

const GROUPINGS: readonly { value: UsageGrouping; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'session', label: 'Session' },
  { value: 'directory', label: 'Repository' },
  { value: 'engine', label: 'Engine' },
  { value: 'model', label: 'Model' },
  { value: 'payer', label: 'Payer' },
];

/** What was spent: one figure for each kind, never a false total. */
export function SpendPage() {
  const search = useSearch({ from: '/house/spend' });
  const navigate = useNavigate();
  const change = (next: SpendSearch) =>
    void navigate({ to: '/spend', search: { ...search, ...next }, replace: true });
  const by = search.by ?? 'day';
  const now = useNow('minute');
  const window = windowOfPeriod(search, 'month', now);
  const summary = useInfiniteQuery(usageSummaryQuery(by, window));
  const pages = summary.data?.pages;
  const totals = pages?.[0]?.totals;
  const isEmpty = totals && Object.keys(totals).length === 0;
  return (
    <Page
      title="Spend"
      aside={<PeriodChoice period={search} usual="month" nowMs={now} choose={change} />}
    >
      {summary.isPending && <Skeleton label="Adding up" />}
      {summary.isError && !summary.data && (
        <ErrorPanel error={summary.error} retry={() => void summary.refetch()} />
      )}
      {isEmpty && (
        <Empty
          title={
            search.time === 'all' ? 'Nothing was recorded yet' : 'Nothing was recorded in this time'
          }
          action={
            <Link to="/launch" className={buttonClass('primary')}>
              Launch a session
            </Link>
          }
        >
          Each turn leaves what its engine reported: tokens and dollars by model. Figures that are
          estimated, notional or unknown stay apart from those that were measured.
        </Empty>
      )}
      {pages && totals && !isEmpty && (
        <>
          <Totals totals={totals} />
          <Section
            title="Grouped"
            aside={
              <Segmented
                label="Group by"
                value={by}
                options={GROUPINGS}
                onChoose={(next) => change({ by: next === 'day' ? undefined : next })}
              />
            }
          >
            <Groups by={pages[0]?.by ?? by} groups={pages.flatMap(({ groups }) => groups)} />
            {summary.hasNextPage && (
              <div className="mt-3 flex justify-center">
                <Button
                  busy={summary.isFetchingNextPage}
                  onClick={() => void summary.fetchNextPage()}
                >
                  Show older sessions
                </Button>
              </div>
            )}
          </Section>
          <Entries window={window} />
        </>
      )}
    </Page>
  );
}

function Groups({ by, groups }: Pick<UsageSummary, 'by' | 'groups'>) {
  return (
    <Table label="Spend by group" columns={[labelOf(by), 'Tokens', 'Spend']} numeric={[1, 2]}>
      {groups.map(({ key, label, totals }) => (
        <tr key={key}>
          <td className="max-w-0 w-full truncate">
            {by === 'session' ? (
              <Link to="/sessions/$sessionId" params={{ sessionId: key }} className="text-accent">
                {label}
              </Link>
            ) : (
              label || 'none'
            )}
          </td>
          <td className="figure py-1 text-right text-soft">
            {listBuckets(totals).map((bucket) => (
              <span key={bucket} className="block">
                {tellTokens(bucket, totals)}
              </span>
            ))}
          </td>
          <td className="py-1">
            <span className="flex flex-col items-end">
              {listBuckets(totals).map((bucket) => {
                const total = totals[bucket];
                return total && <SpendFigure key={bucket} bucket={bucket} total={total} />;
              })}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

const labelOf = (by: UsageGrouping): string =>
  GROUPINGS.find(({ value }) => value === by)?.label ?? '';

/** Tokens of one kind alone: those of a rehearsal were never a model's. */
function tellTokens(bucket: SpendBucket, totals: SpendTotals): string {
  const total = totals[bucket];
  const tokens = total ? tokensTold(bucket, total) : 0;
  return tokens === null ? '—' : formatTokens(tokens);
}

function Entries({ window }: { window: Window }) {
  const query = useInfiniteQuery(usageQuery(window));
  const rows = query.data?.pages.flatMap((page) => page.items);
  return (
    <Section title="Entries">
      {query.isError && !rows && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton label="Reading the entries" />}
      {rows && <UsageTable rows={rows} />}
      {query.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
    </Section>
  );
}
