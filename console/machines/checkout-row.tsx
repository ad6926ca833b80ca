import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatBytes } from '../format/bytes.ts';
import type { CheckoutFacts } from '../../protocol/checkout.ts';
import { checkoutsQuery } from '../api/queries.ts';
import { removeCheckout } from '../api/requests.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';

/** One checkout: whose it is, what it holds, and what removing it would lose. */
export function CheckoutRow({ runnerId, checkout }: { runnerId: string; checkout: CheckoutFacts }) {
  const { sessionId, title, branch, repository, bytes, startedAt, standing, losses } = checkout;
  return (
    <li className="px-3 py-2" data-standing={standing}>
      <div className="flex flex-wrap items-start justify-end gap-x-3 gap-y-1">
        <Link
          to={paths.session(sessionId)}
          className="min-w-0 flex-1 font-medium break-words hover:underline"
        >
          {title}
        </Link>
        <Remove runnerId={runnerId} checkout={checkout} />
      </div>
      <div className="min-w-0">
        <p className="text-sm break-words text-soft">
          <code>{branch}</code> of <code className="break-all">{repository}</code>
        </p>
        <p className="text-sm text-faint">
          <span className="figure">
            {bytes === null ? 'size not measured' : formatBytes(bytes)}
          </span>{' '}
          · started <Ago at={startedAt} />
          {standing === 'open' && ' · the session is not over'}
          {standing === 'safe' && ' · nothing would be lost'}
        </p>
        {losses.map((loss) => (
          <p key={loss} className="text-sm break-words text-red">
            <Words text={loss} />
          </p>
        ))}
      </div>
    </li>
  );
}

/** Removes at once what is safe; what would be lost is named and has to be given up. */
function Remove({ runnerId, checkout }: { runnerId: string; checkout: CheckoutFacts }) {
  const { sessionId, title, branch, standing, losses } = checkout;
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const { queryKey } = checkoutsQuery(runnerId);
  const remove = usePress({
    mutationFn: () => removeCheckout(runnerId, sessionId, 'remove'),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  const unsaved = standing === 'unsaved';
  return (
    <div className="flex max-w-64 flex-col items-end gap-1">
      <Button
        size="small"
        kind="quiet"
        reason={standing === 'open' ? sentenceOfCode('checkout_in_use') : null}
        busy={remove.isPending}
        title={cliTwin.removeCheckout(runnerId, sessionId)}
        aria-label={`Remove the checkout of ${title}`}
        onClick={() => (unsaved ? setAsking(true) : remove.mutate())}
      >
        <Trash2 /> {unsaved ? 'Remove…' : 'Remove'}
      </Button>
      {remove.isError && !asking && (
        <span role="alert" className="text-sm text-red">
          <Words text={tellError(remove.error).sentence} />
        </span>
      )}
      {asking && (
        <ConfirmRemoval
          title="Give up this work?"
          name={branch.split('/').at(-1) ?? branch}
          description={`${losses.join(' ')} It is nowhere else: removing the checkout at ${checkout.directory} loses it. The branch and everything that was brought back stay.`}
          action="Give it up and remove"
          command={cliTwin.discardCheckout(runnerId, sessionId)}
          remove={() => removeCheckout(runnerId, sessionId, 'discard')}
          queryKey={queryKey}
          close={() => setAsking(false)}
        />
      )}
    </div>
  );
}
