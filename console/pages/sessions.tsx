import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionsQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { SessionList } from '../sessions/session-row.tsx';
import { buttonClass } from '../ui/button.tsx';
import { NextPage } from '../ui/next-page.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

/** Every session there is, newest first. */
export function SessionsPage() {
  const query = useInfiniteQuery(sessionsQuery);
  const sessions = query.data?.pages.flatMap((page) => page.items);
  return (
    <Page
      title="Sessions"
      aside={
        <Link to="/compare" className={buttonClass()}>
          Compare runs
        </Link>
      }
    >
      {query.isError && !sessions && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton label="Reading the sessions" rows={8} />}
      {sessions?.length === 0 && (
        <Empty
          title="No session yet"
          action={
            <Link to="/launch" className={buttonClass('primary')}>
              Launch a session
            </Link>
          }
        >
          A session is one conversation with a coding engine on one of your machines: watched,
          metered, and yours to interrupt.
        </Empty>
      )}
      {sessions && sessions.length > 0 && <SessionList sessions={sessions} />}
      <NextPage query={query} label="Show older sessions" />
      {sessions && sessions.length > 0 && (
        <p className="mt-3 text-sm text-faint">
          <code>{cliTwin.sessions()}</code>
        </p>
      )}
    </Page>
  );
}
