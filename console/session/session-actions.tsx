import { CircleStop, Hand } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { can, type SessionAction } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { actOnSession } from '../api/requests.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Words } from '../ui/words.tsx';

const reasonOf = (view: SessionView, action: SessionAction): string | null => {
  const permission = can(action, view.state);
  return permission.allowed ? null : sentenceOfCode(permission.code);
};

/** Interrupt ends a turn; Stop ends the session and asks first. */
export function SessionActions({
  view,
  takeOver = null,
  only = null,
}: {
  view: SessionView;
  /** The button that takes it over or hands it back. */
  takeOver?: ReactNode;
  /** `stop`: nothing else makes sense now. */
  only?: 'stop' | null;
}) {
  const [asking, setAsking] = useState(false);
  const { sessionId } = view;
  const interrupt = usePress({ mutationFn: () => actOnSession(sessionId, 'interrupt') });
  const stop = usePress({
    mutationFn: () => actOnSession(sessionId, 'stop'),
    onSuccess: () => setAsking(false),
  });
  const error = interrupt.error ?? stop.error;
  return (
    <>
      {only === null && (
        <Button
          reason={reasonOf(view, 'interrupt')}
          busy={interrupt.isPending}
          onClick={() => interrupt.mutate()}
        >
          <Hand /> Interrupt
        </Button>
      )}
      {takeOver}
      <Button kind="quiet" reason={reasonOf(view, 'stop')} onClick={() => setAsking(true)}>
        <CircleStop /> Stop
      </Button>
      {error !== null && !asking && (
        <span role="alert" className="min-w-0 text-sm text-red">
          <Words text={tellError(error).sentence} />
        </span>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Stop this session?"
        description="The engine and everything it started on the machine ends now. A turn under way is lost; commits and the transcript stay. You can continue the conversation later."
      >
        {stop.isError && (
          <p role="alert" className="mb-3 text-red">
            <Words text={tellError(stop.error).sentence} />
          </p>
        )}
        <div className="flex gap-2">
          <Button kind="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop the session
          </Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </div>
      </Dialog>
    </>
  );
}
