import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { can } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { actOnSession } from '../api/requests.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MenuItem } from '../ui/menu.tsx';
import { Words } from '../ui/words.tsx';

/**
 * Restarts the engine of a session that is alive, after asking. `children` puts the way there into a
 * menu, which closes before the question opens.
 */
export function RestartEngine({
  view,
  children,
}: {
  view: SessionView;
  children: (item: ReactNode) => ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const restart = usePress({
    mutationFn: () => actOnSession(view.sessionId, 'restart'),
    onSuccess: () => setAsking(false),
  });
  const permission = can('restart', view.state);
  const reason = permission.allowed ? null : sentenceOfCode(permission.code);
  return (
    <>
      {children(
        <MenuItem onSelect={() => setAsking(true)}>
          <RotateCw /> Restart the engine…
        </MenuItem>,
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Restart the engine?"
        description="For an engine that hangs, or whose login or settings have changed. Its process ends, and a turn under way with it; files and transcript stay, what waits is kept, and the conversation goes on in a new process."
      >
        {reason !== null && (
          <p className="mb-3 text-soft">
            <Words text={reason} />
          </p>
        )}
        {restart.isError && (
          <p role="alert" className="mb-3 text-red">
            <Words text={tellError(restart.error).sentence} />
          </p>
        )}
        <div className="flex gap-2">
          <Button
            kind="primary"
            reason={reason}
            busy={restart.isPending}
            onClick={() => restart.mutate()}
          >
            Restart the engine
          </Button>
          <Button onClick={() => setAsking(false)}>Leave it</Button>
        </div>
      </Dialog>
    </>
  );
}
