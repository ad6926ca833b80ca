import { useQueryClient } from '@tanstack/react-query';
import { can } from '../../protocol/session.ts';
import type { SessionState } from '../../protocol/session.ts';
import { recentSessionsQuery } from '../api/queries.ts';
import { actOnSession } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { offerUndo } from '../lib/undo.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';

type DismissProps = { sessionId: string; state: SessionState; dismissedAt: number | null };

/** Takes a failure off what needs a person, or brings it back; nothing where there is no failure. */
export function Dismiss({ sessionId, state, dismissedAt }: DismissProps) {
  const queryClient = useQueryClient();
  const action = dismissedAt === null ? 'dismiss' : 'restore';
  const ask = usePress({
    mutationFn: () => actOnSession(sessionId, action),
    onSuccess: () => {
      // On Home its row is gone, and with it the place that would take it back.
      if (action === 'dismiss')
        offerUndo({ said: 'Dismissed.', undo: () => actOnSession(sessionId, 'restore') });
      return queryClient.invalidateQueries({ queryKey: recentSessionsQuery.queryKey });
    },
  });
  if (!can(action, state).allowed) return null;
  return (
    <span className="inline-flex items-center gap-2 text-sm text-faint">
      {ask.isError && (
        <span role="alert" className="text-red">
          <Words text={tellError(ask.error).sentence} />
        </span>
      )}
      {dismissedAt !== null && (
        <span className="whitespace-nowrap max-md:sr-only">
          Dismissed <Ago at={dismissedAt} />
        </span>
      )}
      <Button
        size="small"
        kind="quiet"
        busy={ask.isPending}
        title={cliTwin.act(sessionId, action)}
        onClick={() => ask.mutate()}
      >
        {dismissedAt === null ? 'Dismiss' : 'Undo'}
      </Button>
    </span>
  );
}
