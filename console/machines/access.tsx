import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunnerSummary } from '../../protocol/http.ts';
import { phaseOf } from '../../protocol/session.ts';
import { revokeRunner } from '../api/machines.ts';
import { recentSessionsQuery, runnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { plural } from '../format/count.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PairMachine } from './pair-machine.tsx';

/** Takes a machine's access back, or lets it come again. */
export function MachineAccess({ runner }: { runner: RunnerSummary }) {
  const [asking, setAsking] = useState<'revoke' | 'pair' | null>(null);
  const { data: sessions } = useQuery(recentSessionsQuery);
  const open = sessions?.filter(
    ({ runnerId, state }) =>
      runnerId === runner.runnerId && ['launching', 'active'].includes(phaseOf(state)),
  );
  const close = () => setAsking(null);
  return (
    <>
      {runner.revokedAt === null ? (
        <Button
          size="small"
          kind="quiet"
          aria-label={`Revoke the access of ${runner.name}`}
          onClick={() => setAsking('revoke')}
        >
          Revoke…
        </Button>
      ) : (
        <Button size="small" onClick={() => setAsking('pair')}>
          Pair again
        </Button>
      )}
      {asking === 'revoke' && (
        <ConfirmRemoval
          title={`Revoke the access of ${runner.name}?`}
          name={runner.name}
          description={`${sayOpen(open?.length)} Its runner ends the engines that it runs and stops. Checkouts and commits stay on the machine, and everything on record stays here. It comes back only with a new code; a machine on which Pilothouse itself runs comes back when it is started there again.`}
          action="Revoke its access"
          command={cliTwin.revokeRunner(runner.runnerId)}
          remove={() => revokeRunner(runner.runnerId)}
          queryKey={runnersQuery.queryKey}
          close={close}
        />
      )}
      <Dialog
        open={asking === 'pair'}
        onOpenChange={close}
        title={`Pair ${runner.name} again`}
        description="It comes back as the same machine, with its sessions."
      >
        <PairMachine machine={runner} close={close} />
      </Dialog>
    </>
  );
}

function sayOpen(count: number | undefined): string {
  if (count === undefined) return 'Its sessions that are not over end.';
  if (count === 0) return 'No session of it is under way.';
  return `${plural(count, 'session')} of it ${count === 1 ? 'is' : 'are'} not over and ${count === 1 ? 'ends' : 'end'}: a turn under way is lost.`;
}
