import { Link } from '@tanstack/react-router';
import {
  describeBegunAnew,
  describeReread,
  forecastReread,
} from '../../../protocol/reread-forecast.ts';
import type { SessionView } from '../../../protocol/session-view.ts';

/** Shown once a conversation has grown long: what it costs, and the way to a short one. */
export function RereadAlarm({ view }: { view: SessionView }) {
  const forecast = forecastReread(view);
  if (!forecast) return null;
  return (
    <p className="mb-2 text-amber">
      {describeReread(forecast)} {describeBegunAnew()}{' '}
      <Link
        to="/launch"
        search={{ from: view.sessionId, engine: view.launch.engineId }}
        className="text-accent hover:underline"
      >
        Go on in a new session
      </Link>
    </p>
  );
}
