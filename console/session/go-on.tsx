import { Link } from '@tanstack/react-router';
import { MoveRight } from 'lucide-react';
import type { SessionView } from '../../protocol/session-view.ts';
import { buttonClass } from '../ui/button.tsx';

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
export function GoesOnFrom({ view: { launch } }: { view: SessionView }) {
  if (!launch.from) return null;
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: launch.from.sessionId }}
      title={`Begun in ${launch.from.sessionId}. The engine was told its record; it does not remember it.`}
      className="text-accent"
    >
      goes on from another session
    </Link>
  );
}
