import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { RunnerSummary } from '../../protocol/http.ts';
import type { MadePairing } from '../../protocol/pairing.ts';
import { makePairing, pairingsQuery } from '../api/machines.ts';
import { runnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { formatSpan } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Command, Twin } from '../ui/copy.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { tellError } from '../errors.ts';
import { Words } from '../ui/words.tsx';
import { useWithdraw } from './open-codes.tsx';

/** How a machine is paired: what to run there, the code, and whether it came. */
export function PairMachine({
  machine,
  close,
}: {
  /** The one that may come again; null pairs a new one. */
  machine: RunnerSummary | null;
  close: () => void;
}) {
  const client = useQueryClient();
  const making = usePress({
    mutationFn: () => makePairing(machine?.runnerId ?? null),
    onSuccess: () => client.invalidateQueries({ queryKey: pairingsQuery.queryKey }),
  });
  const { mutate } = making;
  // Opening it is the wish for a code: a press more would say nothing.
  const begin = useEffectEvent(() => mutate());
  useEffect(() => begin(), []);
  const again = (
    <Button size="small" busy={making.isPending} onClick={() => mutate()}>
      Make another code
    </Button>
  );
  if (making.isError) return <ErrorPanel error={making.error} retry={() => mutate()} />;
  if (!making.data) return <Skeleton label="Making a code" rows={4} />;
  return <Steps key={making.data.expiresAt} made={making.data} again={again} close={close} />;
}

function Steps({
  made: { code, runnerId, expiresAt },
  again,
  close,
}: {
  made: MadePairing;
  again: ReactNode;
  close: () => void;
}) {
  const leftMs = expiresAt - useNow('second');
  const { data: runners = [] } = useQuery(runnersQuery);
  const withdraw = useWithdraw(runnerId);
  const came = runners.find((each) => each.runnerId === runnerId && each.revokedAt === null);
  const address = window.location.origin;
  if (came?.presence === 'online')
    return (
      <output className="block">
        <p className="mb-3 flex items-center gap-2">
          <Check className="text-green" aria-hidden />
          {came.name} is paired and online. Sessions can be launched on it now.
        </p>
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </output>
    );
  if (withdraw.isSuccess)
    return (
      <output className="block space-y-3">
        <p>The code is withdrawn: nobody comes in with it any more.</p>
        {again}
      </output>
    );
  return (
    <div className="space-y-3">
      <p>
        On that machine, with Pilothouse installed (<code>npm install</code> and{' '}
        <code>npm link</code> in a copy of it):
      </p>
      <Command text={cliTwin.pairRunner(address)} />
      {isLoopback(address) && (
        <p className="text-sm text-soft">
          This address leads to Pilothouse on this machine alone. For another one, open the console
          under an address that reaches it (Tailscale, or <code>npm start -- --host</code>), or
          bring it there first:{' '}
          <code>{`ssh -R ${portOf(address)}:127.0.0.1:${portOf(address)} MACHINE`}</code>
        </p>
      )}
      <p>It asks for this code, which works once:</p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-56">
          <Command text={code} label="Copy the code" />
        </span>
        {leftMs > 0 ? (
          <span className="text-sm text-faint">good for {formatSpan(leftMs)}</span>
        ) : (
          <span role="alert" className="text-sm text-red">
            It has expired.
          </span>
        )}
        {leftMs <= 0 && again}
        {leftMs > 0 && !came && (
          <Button
            size="small"
            kind="quiet"
            busy={withdraw.isPending}
            title={cliTwin.withdrawPairing(runnerId)}
            onClick={() => withdraw.mutate()}
          >
            Withdraw it
          </Button>
        )}
      </div>
      {withdraw.isError && (
        <p role="alert" className="text-sm text-red">
          <Words text={tellError(withdraw.error).sentence} />
        </p>
      )}
      <p>Then, there:</p>
      <Command text="pilothouse runner start" />
      <output className="flex items-center gap-2 text-soft">
        <LoaderCircle className="animate-spin motion-reduce:animate-none" aria-hidden />
        {came ? `${came.name} is paired. Waiting until its runner starts…` : 'Waiting for it…'}
      </output>
      <Twin text={cliTwin.inviteRunner(came ? runnerId : null)} />
    </div>
  );
}

const isLoopback = (address: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);

const portOf = (address: string): string => new URL(address).port || '80';
