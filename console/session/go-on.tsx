import { Link, useNavigate } from '@tanstack/react-router';
import { GitFork, MoveRight } from 'lucide-react';
import { forkObstacle } from '../../protocol/fork.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { FORK_NOW } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';

/** Whether there is work to go on with: a turn that at least began. */
const hasBegun = ({ turns }: SessionView): boolean =>
  turns.some(({ state }) => state !== 'accepted');

/** The way to another session that is told the record of this one, on any machine. */
export function GoOnElsewhere({ view }: { view: SessionView }) {
  if (!hasBegun(view)) return null;
  return (
    <Link
      to="/launch"
      search={{ from: view.sessionId, engine: view.launch.engineId }}
      title="Launches a session, here or on another machine, that is told what this one did. Its engine remembers nothing of it."
      className={buttonClass()}
    >
      <MoveRight /> Go on elsewhere
    </Link>
  );
}

/** Where this session's work was begun; nothing for one that began with nothing. */
export function GoesOnFrom({ view: { launch, turns } }: { view: SessionView }) {
  const { from } = launch;
  if (!from) return null;
  const told = 'The engine was told its record; it does not remember it.';
  const first = turns.find(({ startedAt }) => startedAt !== null);
  const begun = from.fork
    ? `Forked from ${from.sessionId}. ${first?.briefed === null ? 'The engine remembers it.' : told}`
    : `Begun in ${from.sessionId}. ${told}`;
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: from.sessionId }}
      title={first ? begun : `Of ${from.sessionId}.`}
      className="text-accent"
    >
      {from.fork
        ? `forked from another session at turn ${from.fork.number}`
        : 'goes on from another session'}
    </Link>
  );
}

/** Sessions that were forked from this one, by the turn. */
export function ForkedInto({ view: { forks = [] } }: { view: SessionView }) {
  return forks.map(({ sessionId, number }) => (
    <Link
      key={sessionId}
      to="/sessions/$sessionId"
      params={{ sessionId }}
      title={sessionId}
      className="text-accent"
    >
      forked into another at turn {number}
    </Link>
  ));
}

/** The way to a session that begins as this one is, for its menu; says why there is none. */
export function ForkItem({ view }: { view: SessionView }) {
  const navigate = useNavigate();
  const obstacle = forkObstacle(view);
  if (obstacle !== null) return <MenuLabel>Fork this session: no. {obstacle}</MenuLabel>;
  const search = { from: view.sessionId, fork: FORK_NOW };
  return (
    <MenuItem onSelect={() => void navigate({ to: '/launch', search })}>
      <GitFork /> Fork this session…
    </MenuItem>
  );
}
