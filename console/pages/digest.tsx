import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Digest, hasNews } from '../../protocol/digest.ts';
import { digestQuery } from '../api/push.ts';
import { cliTwin } from '../format/cli.ts';
import { plural } from '../format/count.ts';
import { formatAbsolute } from '../format/time.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Spend } from '../ui/spend.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

/** What happened while nobody looked: the last digest, or the last day where none is chosen. */
export function DigestPage() {
  const { data, isPending, error, refetch } = useQuery(digestQuery);
  return (
    <Page
      title="Digest"
      narrow
      aside={
        <Link to="/settings" className="text-sm text-accent">
          {data?.choice ? 'When it comes' : 'Have it every morning'}
        </Link>
      }
    >
      {isPending && <Skeleton label="Reading the digest" />}
      {error && !data && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data && <Told digest={data.digest} />}
      <p className="text-sm text-faint">
        <code>{cliTwin.readDigest()}</code>
      </p>
    </Page>
  );
}

function Told({ digest }: { digest: Digest }) {
  const { from, to, finished, failed, spend, unmeteredDrives, acts, breaches, waiting } = digest;
  return (
    <>
      <p className="mb-4 text-soft">
        From {formatAbsolute(from)} to {formatAbsolute(to)}.
      </p>
      {!hasNews(digest) && <p>Nothing happened, and nothing waits for you.</p>}
      <Sessions title="Waits for you" sessions={waiting} />
      {digest.calls > 0 && (
        <p className="mb-6">
          <Link to="/operators" className="text-accent">
            {plural(digest.calls, 'call')} of operators {digest.calls === 1 ? 'waits' : 'wait'} for
            an answer
          </Link>
        </p>
      )}
      {breaches > 0 && (
        <p className="mb-6 font-medium text-red">
          <Link to="/acts" search={{ show: 'breaches' }}>
            {plural(breaches, 'act')} that the policy forbids happened
          </Link>
        </p>
      )}
      <Sessions title="Failed" sessions={failed} />
      <Sessions title="Finished" sessions={finished} />
      {(Object.keys(spend).length > 0 || unmeteredDrives > 0) && (
        <Section title="Spend">
          <Spend totals={spend} wordy />
          {unmeteredDrives > 0 && (
            <p className="text-soft">
              Beside it, operators wrote into terminals {plural(unmeteredDrives, 'time')}. What that
              cost cannot be known.
            </p>
          )}
        </Section>
      )}
      {acts.length > 0 && (
        <Section title="Acts that count">
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {acts.map(({ kind, count }) => (
              <li key={kind}>
                {actWord(kind)} <span className="figure text-soft">{count}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

type SessionsProps = { title: string; sessions: Digest['finished'] };

/** Sessions as they were when the digest was made. */
function Sessions({ title, sessions: { count, items } }: SessionsProps) {
  if (count === 0) return null;
  return (
    <Section title={title} count={count}>
      <ul className="divide-y overflow-hidden rounded-md border bg-raised">
        {items.map(({ sessionId, title: name, state }) => (
          <li
            key={sessionId}
            className="relative flex min-h-10 items-center gap-3 px-3 hover:bg-sunken"
          >
            <StateBadge state={state} />
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId }}
              className="min-w-0 flex-1 truncate after:absolute after:inset-0"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {count > items.length && (
        <p className="mt-1 text-sm text-faint">and {count - items.length} more</p>
      )}
    </Section>
  );
}
