import { useQuery } from '@tanstack/react-query';
import type { ReportSummary } from '../../protocol/decisions.ts';
import { reportQuery } from '../api/decisions.ts';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import type { DecisionsSearch } from './filter.ts';
import { RecordList } from './record-list.tsx';
import { RunFacts, RunNotices } from './run-facts.tsx';

type ReportViewProps = {
  reportId: string;
  lastFull: ReportSummary | null;
  search: DecisionsSearch;
  choose: (change: DecisionsSearch) => void;
};

/** One report as it was posted. */
export function ReportView({ reportId, lastFull, search, choose }: ReportViewProps) {
  const query = useQuery(reportQuery(reportId));
  if (query.isPending) return <Skeleton label="Reading the report" rows={8} />;
  if (!query.data) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  const { summary, report } = query.data;
  return (
    <>
      <div className="mb-3">
        <RunFacts run={summary} report={report} />
      </div>
      <RunNotices
        run={summary}
        report={report}
        lastFull={lastFull}
        showRun={(id) => choose({ report: id })}
      />
      <RecordList report={report} run={summary} search={search} choose={choose} />
    </>
  );
}
