import { Link } from '@tanstack/react-router';
import {
  describeBegunAnew,
  describeReread,
  forecastReread,
} from '../../../protocol/reread-forecast.ts';
import { can } from '../../../protocol/session.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { actOnSession } from '../../api/requests.ts';
import { sentenceOfCode, tellError } from '../../errors.ts';
import { OWN_FORM } from '../../format/locale.ts';
import { usePress } from '../../lib/use-press.ts';
import { Button } from '../../ui/button.tsx';
import { Words } from '../../ui/words.tsx';

/** Shown once a conversation has grown long: what it costs, and the ways to a short one. */
export function RereadAlarm({ view }: { view: SessionView }) {
  const { sessionId } = view;
  const compact = usePress({ mutationFn: () => actOnSession(sessionId, 'compact') });
  const forecast = forecastReread(view);
  if (!forecast) return null;
  const permission = can('compact', view.state);
  return (
    <div className="mb-2">
      <p className="text-amber">
        {describeReread(forecast, OWN_FORM)} {describeBegunAnew(OWN_FORM)}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-3">
        <Button
          reason={permission.allowed ? null : sentenceOfCode(permission.code)}
          busy={compact.isPending}
          onClick={() => compact.mutate()}
        >
          Begin it anew
        </Button>
        <Link
          to="/launch"
          search={{ from: sessionId, engine: view.launch.engineId }}
          className="text-accent hover:underline"
        >
          Go on in a new session
        </Link>
      </div>
      {compact.isError && (
        <p role="alert" className="mt-1 text-red">
          <Words text={tellError(compact.error).sentence} />
        </p>
      )}
    </div>
  );
}
