import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { budgetsQuery } from '../api/budgets.ts';
import { usageQuery, usageSummaryQuery, type Window } from '../api/queries.ts';
import { Standings } from '../budgets/standings.tsx';
import { cliTwin } from '../format/cli.ts';
import { DayChart } from '../ledger/day-chart.tsx';
import { GROUPINGS, Groups } from '../ledger/groups.tsx';
import { Totals } from '../ledger/totals.tsx';
import { SelfReported, UnmeteredWork } from '../ledger/unmetered-work.tsx';
import { UsageTable } from '../ledger/usage-table.tsx';
import { PeriodChoice } from '../ledger/period-choice.tsx';
import type { SpendSearch } from '../ledger/search.ts';
import { windowOfPeriod } from '../ledger/window.ts';
import { useNow } from '../lib/use-now.ts';
import { api } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { ExportMenu } from '../ui/export-links.tsx';
import { NextPage } from '../ui/next-page.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

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
      aside={
        <span className="flex flex-wrap items-center gap-2 sm:justify-end">
          <PeriodChoice period={search} usual="month" nowMs={now} choose={change} />
          <ExportMenu
            path={api.usageExport}
            query={window}
            command={cliTwin.exportLedger('usage export', window)}
          />
        </span>
      }
    >
      {summary.isPending && <Skeleton label="Adding up" />}
      {summary.isError && !summary.data && (
        <ErrorPanel error={summary.error} retry={() => void summary.refetch()} />
      )}
      {/* Above all figures, and where there are none: work of which none can be known. */}
      {pages && <SelfReported selfReported={pages[0]?.selfReported} />}
      {pages && <UnmeteredWork unmetered={pages[0]?.unmetered} />}
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
          <DayChart window={window} />
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
            <NextPage query={summary} label="Show older sessions" />
          </Section>
          <Entries window={window} />
        </>
      )}
      {pages && <Budgets />}
    </Page>
  );
}

/** Where the budgets stand, for whoever has set any. */
function Budgets() {
  const { data: budgets = [] } = useQuery(budgetsQuery);
  if (budgets.length === 0) return null;
  return (
    <Section
      title="Budgets"
      aside={
        <Link to="/settings" className="text-sm text-accent hover:underline">
          Change them
        </Link>
      }
    >
      <Standings budgets={budgets} />
    </Section>
  );
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
      <NextPage query={query} label="Show older entries" />
    </Section>
  );
}
