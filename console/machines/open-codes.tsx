import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { OpenPairing } from '../../protocol/pairing.ts';
import { pairingsQuery, withdrawPairing } from '../api/machines.ts';
import { cliTwin } from '../format/cli.ts';
import { formatSpan } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { tellError } from '../errors.ts';
import { Words } from '../ui/words.tsx';

/** Codes that would let a machine in: who has made one by mistake, or shown it, takes it back here. */
export function OpenCodes() {
  const { data = [] } = useQuery(pairingsQuery);
  const nowMs = useNow('second');
  const open = data.filter(({ expiresAt }) => expiresAt > nowMs);
  if (open.length === 0) return null;
  return (
    <ul aria-label="Codes that wait to be used" className="mb-6 divide-y rounded-md border">
      {open.map((each) => (
        <OpenCode key={each.runnerId} code={each} leftMs={each.expiresAt - nowMs} />
      ))}
    </ul>
  );
}

function OpenCode({ code: { runnerId, machine }, leftMs }: { code: OpenPairing; leftMs: number }) {
  const whom = machine ?? 'a new machine';
  const withdraw = useWithdraw(runnerId);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <KeyRound className="text-faint" aria-hidden />
      <span className="min-w-0 flex-1">
        A code lets {whom} in <span className="text-faint">for another {formatSpan(leftMs)}</span>
      </span>
      {withdraw.isError && (
        <span role="alert" className="text-sm text-red">
          <Words text={tellError(withdraw.error).sentence} />
        </span>
      )}
      <Button
        size="small"
        kind="quiet"
        busy={withdraw.isPending}
        title={cliTwin.withdrawPairing(runnerId)}
        aria-label={`Withdraw the code for ${whom}`}
        onClick={() => withdraw.mutate()}
      >
        Withdraw
      </Button>
    </li>
  );
}

/** Withdraws the code that would let this machine in, and reads what waits again. */
export function useWithdraw(runnerId: string) {
  const client = useQueryClient();
  return usePress({
    mutationFn: () => withdrawPairing(runnerId),
    onSettled: () => client.invalidateQueries({ queryKey: pairingsQuery.queryKey }),
  });
}
