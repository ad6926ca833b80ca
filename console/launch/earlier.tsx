import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BRIEF_MAX_CHARS } from '../../protocol/brief.ts';
import {
  findForkPoint,
  forkMachineObstacle,
  forkObstacle,
  type ForkRequest,
} from '../../protocol/fork.ts';
import type { MachineFacts } from '../../protocol/machine.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { tokensOf } from '../../protocol/text.ts';
import { sessionQuery } from '../api/queries.ts';
import { formatTokens, plural } from '../format/count.ts';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

type EarlierProps = {
  sessionId: string;
  runnerId: string;
  /** Of that machine; null while it has said nothing. */
  machine: MachineFacts | null;
  engineId: string;
  /** It is forked there; null goes on from its record alone. */
  fork: ForkRequest | null;
};

/** The session that a launch goes on from: what of it comes along, and what does not. */
export function Earlier({ sessionId, runnerId, machine, engineId, fork }: EarlierProps) {
  const query = useQuery(sessionQuery(sessionId));
  if (query.isError && !query.data)
    return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton label="Reading the session to go on from" rows={2} />;
  const { summary, view } = query.data;
  const begun = view.turns.filter(({ state }) => state !== 'accepted').length;
  const branch = summary.runnerId === runnerId ? null : (view.checkout?.branch ?? null);
  return (
    <section
      aria-label={fork ? 'Fork of' : 'Goes on from'}
      className="mb-4 rounded-md border border-accent bg-accent-wash px-3 py-2"
    >
      <p>
        {fork ? 'A fork of' : 'Goes on from'}{' '}
        <Link to="/sessions/$sessionId" params={{ sessionId }} className="text-accent">
          {summary.title}
        </Link>
        , on {summary.runnerName}.
      </p>
      {fork ? (
        <ForkFacts view={view} machine={machine} fork={fork} engineId={engineId} />
      ) : (
        <p className="text-sm text-soft">
          Briefed, not resumed: the engine is told a record of {plural(begun, 'turn')} before your
          instruction, in {BRIEF_TOKENS} tokens at most.
          {branch !== null &&
            ` What it committed is on ${summary.runnerName}: push ${branch} there to have it here.`}
        </p>
      )}
      <Link to="/launch" search={{}} className="text-sm text-accent">
        Begin with nothing instead
      </Link>
    </section>
  );
}

const BRIEF_TOKENS = formatTokens(tokensOf(BRIEF_MAX_CHARS));

/** What a fork begins with; whether its engine can go on in a copy only the machine finds out. */
export function ForkFacts({
  view,
  machine,
  fork,
  engineId,
}: {
  view: SessionView;
  machine: MachineFacts | null;
  fork: ForkRequest;
  engineId: string;
}) {
  const point = findForkPoint(view, fork);
  const obstacle =
    forkObstacle(view) ??
    forkMachineObstacle(machine) ??
    (point ? null : 'It has no such turn that is over.');
  if (obstacle !== null || !point)
    return (
      <p role="alert" className="text-sm text-red">
        It cannot be forked there. {obstacle}
      </p>
    );
  const same = engineId === view.launch.engineId;
  return (
    <p className="text-sm text-soft">
      In a checkout of its own, with the files as they{' '}
      {point.filesNow ? 'are now' : `were after turn ${point.number}`}; what git ignores does not
      come along.{' '}
      {same
        ? `Its engine goes on in a copy of the conversation up to turn ${point.number}. Where it cannot, it is`
        : 'Briefed, not resumed: another engine is'}{' '}
      told the record, in {BRIEF_TOKENS} tokens at most. The session itself goes on as it was, and
      this one’s budget is its own.
    </p>
  );
}
