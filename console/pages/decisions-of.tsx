import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { repositoryQuery } from '../api/decisions.ts';
import { BranchChoice } from '../decisions/branch-choice.tsx';
import { BuildSteps } from '../decisions/build-steps.tsx';
import type { DecisionsSearch } from '../decisions/filter.ts';
import { Keys } from '../decisions/keys.tsx';
import { ReportView } from '../decisions/report-view.tsx';
import { cliTwin } from '../format/cli.ts';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { DecisionsPage } from './decisions.tsx';

/** What stands at an address below `/decisions`; an address without a name is the list itself. */
export function DecisionsOfPage() {
  const { _splat: repository = '' } = useParams({ from: '/house/decisions/of/$' });
  return repository === '' ? <DecisionsPage /> : <RepositoryPage repository={repository} />;
}

/** The records of one repository, as its builds found them. */
function RepositoryPage({ repository }: { repository: string }) {
  const search = useSearch({ from: '/house/decisions/of/$' });
  const navigate = useNavigate({ from: '/decisions/of/$' });
  const query = useQuery(repositoryQuery(repository));
  const choose = (change: DecisionsSearch) =>
    void navigate({
      to: '.',
      search: (before: DecisionsSearch) => ({ ...before, ...change }),
      replace: true,
    });
  const branches = query.data?.branches ?? [];
  const chosen = branches.find(({ branch }) => branch === search.branch) ?? branches[0];
  const reportId = search.report ?? chosen?.latest.reportId;
  return (
    <Page
      title={repository}
      aside={
        <Link to="/decisions" className="text-accent">
          All repositories
        </Link>
      }
    >
      {query.isPending && <Skeleton label="Reading the repository" rows={8} />}
      {query.isError && query.data === undefined && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data !== undefined && reportId === undefined && (
        <Empty title="No report yet" action={<BuildSteps />}>
          Its builds post what they find with a key of theirs, in PILOTHOUSE_DECISIONS_KEY. The
          first report appears here by itself.
        </Empty>
      )}
      {chosen && (
        <BranchChoice
          repository={repository}
          branches={branches}
          more={query.data?.moreBranches ?? 0}
          chosen={chosen}
          reportId={reportId ?? ''}
          choose={choose}
        />
      )}
      {reportId !== undefined && (
        <ReportView
          key={reportId}
          reportId={reportId}
          lastFull={chosen?.latestFull ?? null}
          search={search}
          choose={choose}
        />
      )}
      {chosen && (
        <p className="mt-2 mb-6 text-sm break-all text-faint">
          <code>{cliTwin.decisionsOf(repository, chosen.branch)}</code>
        </p>
      )}
      {query.data !== undefined && (
        <div className="mt-6">
          <Keys repository={repository} />
        </div>
      )}
    </Page>
  );
}
