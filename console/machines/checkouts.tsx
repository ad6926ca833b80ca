import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FolderGit2 } from 'lucide-react';
import { useState } from 'react';
import { formatBytes } from '../format/bytes.ts';
import type { CheckoutFacts } from '../../protocol/checkout.ts';
import type { Presence } from '../../protocol/machine.ts';
import { checkoutsQuery } from '../api/queries.ts';
import { removeCheckout } from '../api/requests.ts';
import { sentenceOfCode } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { plural } from '../format/count.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { NextPage } from '../ui/next-page.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { CheckoutRow } from './checkout-row.tsx';

/** The checkouts on a machine, looked into on request: git has to be asked about each. */
export function Checkouts({ runnerId, presence }: { runnerId: string; presence: Presence }) {
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery({ ...checkoutsQuery(runnerId), enabled: open });
  const checkouts = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const looking = query.isFetching && !query.isFetchingNextPage;
  return (
    <div className="border-t px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          reason={presence === 'offline' ? sentenceOfCode('runner_offline') : null}
          busy={looking}
          onClick={() => (open ? void query.refetch() : setOpen(true))}
        >
          <FolderGit2 /> {looking ? 'Looking…' : open ? 'Look again' : 'Show checkouts'}
        </Button>
        <code className="text-sm text-faint">{cliTwin.checkouts(runnerId)}</code>
      </div>
      {query.isError && (
        <div className="mt-3">
          <ErrorPanel error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {query.data && checkouts.length === 0 && (
        <p className="mt-3 text-soft">
          No session has a checkout here. One is made for each session that does not work in place.
        </p>
      )}
      {checkouts.length > 0 && (
        <>
          <Summary runnerId={runnerId} checkouts={checkouts} whole={!query.hasNextPage} />
          <ul aria-label="Checkouts" className="mt-2 divide-y rounded-md border">
            {checkouts.map((checkout) => (
              <CheckoutRow key={checkout.sessionId} runnerId={runnerId} checkout={checkout} />
            ))}
          </ul>
        </>
      )}
      <NextPage query={query} label="Show more" />
    </div>
  );
}

/** How much there is, and the one press that removes what would not be missed. */
function Summary({
  runnerId,
  checkouts,
  whole,
}: {
  runnerId: string;
  checkouts: readonly CheckoutFacts[];
  whole: boolean;
}) {
  const client = useQueryClient();
  const safe = checkouts.filter(({ standing }) => standing === 'safe');
  const removeSafe = usePress({
    mutationFn: async () => {
      for (const { sessionId } of safe) await removeCheckout(runnerId, sessionId, 'remove');
    },
    onSettled: () => client.invalidateQueries({ queryKey: checkoutsQuery(runnerId).queryKey }),
  });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <p className="text-soft">
        {plural(checkouts.length, 'checkout')}
        {whole ? '' : ' so far'}, {sumOf(checkouts)}.
      </p>
      {safe.length > 0 && (
        <Button
          size="small"
          busy={removeSafe.isPending}
          title={cliTwin.removeCheckouts(runnerId)}
          onClick={() => removeSafe.mutate()}
        >
          Remove {safe.length} that would not be missed, {sumOf(safe)}
        </Button>
      )}
      {removeSafe.isError && (
        <div className="w-full">
          <ErrorPanel error={removeSafe.error} />
        </div>
      )}
    </div>
  );
}

function sumOf(checkouts: readonly CheckoutFacts[]): string {
  const sum = formatBytes(checkouts.reduce((total, { bytes }) => total + (bytes ?? 0), 0));
  return checkouts.every(({ bytes }) => bytes !== null) ? sum : `at least ${sum}`;
}
