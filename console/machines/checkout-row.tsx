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
import { Dialog } from '../ui/dialog.tsx';
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
  const { sessionId, title, standing, losses } = checkout;
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const remove = usePress({
    mutationFn: (how: 'remove' | 'discard') => removeCheckout(runnerId, sessionId, how),
    onSuccess: () => {
      setAsking(false);
      return client.invalidateQueries({ queryKey: checkoutsQuery(runnerId).queryKey });
    },
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
        onClick={() => (unsaved ? setAsking(true) : remove.mutate('remove'))}
      >
        <Trash2 /> {unsaved ? 'Remove…' : 'Remove'}
      </Button>
      {remove.isError && !asking && (
        <span role="alert" className="text-sm text-red">
          <Words text={tellError(remove.error).sentence} />
        </span>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Give up this work?"
        description={`${losses.join(' ')} It is nowhere else: removing the checkout loses it for good. The branch and everything that was brought back stay.`}
      >
        {remove.isError && (
          <p role="alert" className="mb-3 text-red">
            <Words text={tellError(remove.error).sentence} />
          </p>
        )}
        <p className="mb-3 text-sm break-all text-soft">
          It is at <code>{checkout.directory}</code>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate('discard')}>
            Give it up and remove
          </Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </div>
      </Dialog>
    </div>
  );
}
