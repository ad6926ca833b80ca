import { Link } from '@tanstack/react-router';
import { GitFork } from 'lucide-react';
import { forkObstacle } from '../../protocol/fork.ts';
import type { SessionView, TurnView } from '../../protocol/session-view.ts';

type ForkHereProps = { view: SessionView; turn: TurnView; number: number };

/** The way to a session that begins as this one was after a turn; nothing where there is none. */
export function ForkHere({ view, turn, number }: ForkHereProps) {
  if (turn.state !== 'ended' || forkObstacle(view) !== null) return null;
  return (
    <Link
      to="/launch"
      search={{ from: view.sessionId, fork: turn.turnId }}
      title="Launches a session of its own that begins with the files and the conversation as they were here. This one goes on as it is."
      aria-label={`Fork here, after turn ${number}`}
      className="inline-flex items-center gap-1 self-center text-faint hover:text-accent"
    >
      <GitFork /> Fork here
    </Link>
  );
}
