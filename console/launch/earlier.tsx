import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BRIEF_MAX_CHARS } from '../../protocol/brief.ts';
import { tokensOf } from '../../protocol/text.ts';
import { sessionQuery } from '../api/queries.ts';
import { formatTokens, plural } from '../format/count.ts';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

/** The session that a launch goes on from: what is told of it, and what does not come along. */
export function Earlier({ sessionId, runnerId }: { sessionId: string; runnerId: string }) {
  const query = useQuery(sessionQuery(sessionId));
  if (query.isError && !query.data)
    return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton label="Reading the session to go on from" rows={2} />;
  const { summary, view } = query.data;
  const begun = view.turns.filter(({ state }) => state !== 'accepted').length;
  const branch = summary.runnerId === runnerId ? null : (view.checkout?.branch ?? null);
  return (
    <section
      aria-label="Goes on from"
      className="mb-4 rounded-md border border-accent bg-accent-wash px-3 py-2"
    >
      <p>
        Goes on from{' '}
        <Link to="/sessions/$sessionId" params={{ sessionId }} className="text-accent">
          {summary.title}
        </Link>
        , on {summary.runnerName}.
      </p>
      <p className="text-sm text-soft">
        Briefed, not resumed: the engine is told a record of {plural(begun, 'turn')} before your
        instruction, in {formatTokens(tokensOf(BRIEF_MAX_CHARS))} tokens at most.
        {branch !== null &&
          ` What it committed is on ${summary.runnerName}: push ${branch} there to have it here.`}
      </p>
      <Link to="/launch" search={{}} className="text-sm text-accent">
        Begin with nothing instead
      </Link>
    </section>
  );
}
