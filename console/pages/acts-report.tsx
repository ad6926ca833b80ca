import { formatCount } from '../format/locale.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActsTable } from '../acts/acts-table.tsx';
import { ChainMark } from '../acts/chain.tsx';
import { ApprovalsTable } from '../acts/approvals-table.tsx';
import { BreachesList } from '../acts/breaches-list.tsx';
import { tallyActs } from '../acts/tally.ts';
import { auditReportQuery, WHOLE_MAX } from '../api/audit.ts';
import { meQuery, usageSummaryQuery } from '../api/queries.ts';
import { formatAbsolute } from '../format/time.ts';
import { Totals } from '../ledger/totals.tsx';
import { PeriodChoice } from '../ledger/period-choice.tsx';
import { type Period, windowOfPeriod } from '../ledger/window.ts';
import { useNow } from '../lib/use-now.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** Everything that was done in a time, on one page that can be printed. */
export function ActsReportPage() {
  const search = useSearch({ from: '/house/acts/report' });
  const navigate = useNavigate();
  const now = useNow('minute');
  const window = windowOfPeriod(search, 'month', now);
  const report = useQuery(auditReportQuery(window));
  const spend = useInfiniteQuery(usageSummaryQuery('payer', window));
  const me = useQuery(meQuery);
  const choose = (next: Period) =>
    void navigate({ to: '/acts/report', search: { ...search, ...next }, replace: true });
  const totals = spend.data?.pages[0]?.totals;
  return (
    <Page
      title="Report of acts"
      aside={
        <span className="flex flex-wrap items-center gap-2 sm:justify-end print:hidden">
          <PeriodChoice period={search} usual="month" nowMs={now} choose={choose} />
          <Button onClick={() => print()} reason={reasonNotToPrint(report, spend)}>
            <Printer /> Print
          </Button>
        </span>
      }
    >
      <p className="mb-4 text-soft">
        {sayWindow(window)}. Made {formatAbsolute(now)} by {me.data?.principal.name ?? '…'},
        Pilothouse {me.data?.version}.
      </p>
      <ChainMark atOnce />
      {report.isPending && <Skeleton label="Reading the ledgers" rows={8} />}
      {report.isError && !report.data && (
        <ErrorPanel error={report.error} retry={() => void report.refetch()} />
      )}
      {report.data && (
        <>
          {report.data.more && (
            <p role="alert" className="mb-4 text-amber">
              There is more than the {formatCount(WHOLE_MAX)} newest rows of each ledger that are
              shown here. Choose a shorter time, or export the ledgers.
            </p>
          )}
          {spend.isError && !totals && (
            <div className="mb-4">
              <ErrorPanel error={spend.error} retry={() => void spend.refetch()} />
            </div>
          )}
          {spend.isPending && <Skeleton label="Adding up" rows={4} />}
          {totals && Object.keys(totals).length > 0 && <Totals totals={totals} />}
          <Part title="Acts by kind" count={report.data.acts.length}>
            <TallyTable acts={report.data.acts} />
          </Part>
          <Part title="Breaches of the policy" count={report.data.breaches.length}>
            <BreachesList breaches={report.data.breaches} />
          </Part>
          <Part title="Approvals" count={report.data.approvals.length}>
            <ApprovalsTable approvals={report.data.approvals} />
          </Part>
          <Part title="Every act" count={report.data.acts.length}>
            <ActsTable acts={report.data.acts} />
          </Part>
        </>
      )}
    </Page>
  );
}

type Read = { data?: unknown; isError: boolean };

/** Why the report is not whole yet; null when it is. */
function reasonNotToPrint(...reads: readonly Read[]): string | null {
  const missing = reads.filter(({ data }) => data === undefined);
  if (missing.length === 0) return null;
  return missing.some(({ isError }) => isError)
    ? 'A part of it could not be read: see below.'
    : 'The ledgers are still being read.';
}

/** A part with what it counts; a part of a report is never left out because it is empty. */
function Part({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <Section title={title} count={count}>
      {count > 0 ? children : <p className="text-soft">None.</p>}
    </Section>
  );
}

const COUNTS = ['done', 'notDone', 'unknown', 'open', 'forbidden'] as const;

function TallyTable({ acts }: { acts: Parameters<typeof tallyActs>[0] }) {
  return (
    <Table
      label="Acts by kind"
      columns={['Act', 'Done', 'Not done', 'Not known', 'Under way', 'Forbidden']}
      numeric={[1, 2, 3, 4, 5]}
    >
      {tallyActs(acts).map((tally) => (
        <tr key={tally.kind}>
          <td className="font-medium">{actWord(tally.kind)}</td>
          {COUNTS.map((count) => (
            <td key={count} className="figure text-right">
              {tally[count]}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function sayWindow({ from, to }: { from: number | undefined; to: number | undefined }): string {
  if (from === undefined && to === undefined) return 'All that is recorded';
  if (from === undefined) return `Up to ${formatAbsolute(to ?? 0)}`;
  return to === undefined
    ? `From ${formatAbsolute(from)} until now`
    : `From ${formatAbsolute(from)} to ${formatAbsolute(to)}`;
}
