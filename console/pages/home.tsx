import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunnerSummary, SessionSummary } from '../../protocol/http.ts';
import { REHEARSAL_ENGINE_ID } from '../../protocol/launch.ts';
import { recentSessionsQuery, usableRunnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { decideNeeds } from '../frame/needs.ts';
import { decideSince, useLookedAt } from '../home/since.ts';
import { Today, todaysSpendQuery } from '../home/today.tsx';
import { useNow } from '../lib/use-now.ts';
import {
  type HeldOperator,
  HeldOperatorLink,
  useHeldOperators,
} from '../operators/held-operators.tsx';
import { useWaitingCalls, WaitingCalls, type WaitingCall } from '../operators/waiting-calls.tsx';
import { SessionList } from '../sessions/session-row.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Page, Section } from '../ui/page.tsx';
import { PresenceMark } from '../ui/presence.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

const RECENT = 8;

/** What needs a person first; everything else recedes. */
export function HomePage() {
  const sessions = useQuery(recentSessionsQuery);
  // The strip is drawn once there are sessions, and has its figures with them rather than after.
  usePrefetchInfiniteQuery(todaysSpendQuery(useNow('minute')));
  const runners = useQuery(usableRunnersQuery);
  const calls = useWaitingCalls();
  const held = useHeldOperators();
  return (
    <Page title="Home">
      {sessions.isPending && <Skeleton label="Reading the sessions" />}
      {sessions.isError && !sessions.data && (
        <ErrorPanel error={sessions.error} retry={() => void sessions.refetch()} />
      )}
      {sessions.data?.length === 0 && calls.length + held.length > 0 && (
        <NeedsYou needs={[]} calls={calls} held={held} />
      )}
      {sessions.data?.length === 0 && runners.data && <FirstRun runners={runners.data} />}
      {sessions.data && sessions.data.length > 0 && (
        <Sessions sessions={sessions.data} calls={calls} held={held} />
      )}
      {runners.isError && !runners.data && (
        <ErrorPanel error={runners.error} retry={() => void runners.refetch()} />
      )}
      {runners.data && runners.data.length > 0 && <Machines runners={runners.data} />}
    </Page>
  );
}

type SessionsProps = {
  sessions: readonly SessionSummary[];
  calls: readonly WaitingCall[];
  held: readonly HeldOperator[];
};

function Sessions({ sessions, calls, held }: SessionsProps) {
  const { needs, running, recent } = decideNeeds(sessions, useNow('minute'));
  const { lookedAt, lookNow } = useLookedAt();
  const { fresh, seen } = decideSince(recent, lookedAt);
  return (
    <>
      <Today />
      <NeedsYou needs={needs} calls={calls} held={held} />
      {running.length > 0 && (
        <Section title="Running" count={running.length}>
          <SessionList sessions={running} />
        </Section>
      )}
      {fresh.length > 0 && lookedAt !== null && (
        <Section
          title="Finished since you looked"
          count={fresh.length}
          aside={
            <span className="flex items-center gap-2 text-sm text-faint">
              <Ago at={lookedAt} />
              <Button size="small" kind="quiet" onClick={lookNow}>
                Mark as seen
              </Button>
            </span>
          }
        >
          <SessionList sessions={fresh} />
        </Section>
      )}
      {seen.length > 0 && (
        <Section
          title="Recent"
          aside={
            <Link to="/sessions" className="text-sm text-accent">
              All sessions
            </Link>
          }
        >
          <SessionList sessions={seen.slice(0, RECENT)} />
        </Section>
      )}
    </>
  );
}

function NeedsYou({
  needs,
  calls,
  held,
}: {
  needs: readonly SessionSummary[];
  calls: readonly WaitingCall[];
  held: readonly HeldOperator[];
}) {
  const count = needs.length + calls.length + held.length;
  return (
    <Section title="Needs you now" count={count}>
      {count === 0 && (
        <p className="rounded-md border border-dashed px-3 py-2 text-soft">
          Nothing. Approvals, questions and failures appear here.
        </p>
      )}
      {held.length > 0 && (
        <ul
          aria-label="Operators held by a breach"
          className="mb-3 divide-y overflow-hidden rounded-md border border-red bg-red-wash"
        >
          {held.map((each) => (
            <li key={each.instanceId}>
              <HeldOperatorLink
                held={each}
                className="flex flex-wrap items-center gap-x-3 px-3 py-2 font-medium"
              />
            </li>
          ))}
        </ul>
      )}
      {calls.length > 0 && <WaitingCalls calls={calls} />}
      {needs.length > 0 && <SessionList sessions={needs} />}
    </Section>
  );
}

function Machines({ runners }: { runners: readonly RunnerSummary[] }) {
  return (
    <Section title="Machines" count={runners.length}>
      <ul className="divide-y rounded-md border bg-raised">
        {runners.map((runner) => (
          <li
            key={runner.runnerId}
            className="flex min-h-9 flex-wrap items-center gap-x-4 px-3 py-1"
          >
            <PresenceMark presence={runner.presence} name={runner.name} />
            <span className="min-w-0 flex-1 truncate text-sm text-faint">
              {runner.machine?.engines
                .filter((engine) => engine.ready)
                .map((engine) => engine.label)
                .join(', ')}
            </span>
            {runner.lastSeenAt !== null && runner.presence !== 'online' && (
              <span className="text-sm text-faint">
                heard <Ago at={runner.lastSeenAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Nothing has happened yet: one thing to do, the one that works on this machine. */
function FirstRun({ runners }: { runners: readonly RunnerSummary[] }) {
  const engines = runners.flatMap((runner) => runner.machine?.engines ?? []);
  const ready = engines.find((engine) => engine.ready && engine.engineId !== REHEARSAL_ENGINE_ID);
  if (runners.length === 0) {
    return (
      <Empty title="Connect a machine" action={<Command text={cliTwin.startRunner()} />}>
        Sessions run on your own machines. Start a runner on the one that has your repositories; it
        appears here by itself.
      </Empty>
    );
  }
  return (
    <div className="mb-6">
      <Empty
        title={ready ? 'Launch your first session' : 'See how a session goes'}
        action={
          <Link
            to="/launch"
            {...(ready ? {} : { search: { engine: REHEARSAL_ENGINE_ID } })}
            className={buttonClass('primary')}
          >
            {ready ? 'Launch a session' : 'Try the rehearsal'}
          </Link>
        }
      >
        {ready
          ? `${ready.label} is ready. Say which repository and what to do; you watch it work, answer what it asks, and see what it cost.`
          : 'No engine is ready on your machines yet; Machines says what each needs. The rehearsal needs none: it really edits and commits in a scratch repository, asks you once, and costs nothing.'}
      </Empty>
    </div>
  );
}
