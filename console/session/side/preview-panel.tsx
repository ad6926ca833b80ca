import { useQuery } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import type { PreviewPort } from '../../../protocol/preview.ts';
import { openPreview, previewsQuery } from '../../api/previews.ts';
import { cliTwin } from '../../format/cli.ts';
import { usePress } from '../../lib/use-press.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy.tsx';
import { ErrorPanel, Skeleton } from '../../ui/states.tsx';
import { Nothing } from './facts.tsx';

/** Whether this page comes from the machine that its browser runs on. */
export const isOnLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

type PreviewPanelProps = {
  sessionId: string;
  /** What the session's machine is called. */
  machine: string;
};

/** What a session serves, as a person opens it: each server in a window of its own. */
export function PreviewPanel({ sessionId, machine }: PreviewPanelProps) {
  const query = useQuery(previewsQuery(sessionId));
  if (query.isPending) return <Skeleton label="Looking for servers" rows={2} />;
  if (!query.data) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  const here = isOnLoopback(location.hostname);
  return <Served sessionId={sessionId} machine={machine} items={query.data.items} here={here} />;
}

type ServedProps = PreviewPanelProps & {
  items: readonly PreviewPort[];
  /** Whether the browser may be on the session's machine: from elsewhere the address leads nowhere. */
  here: boolean;
};

/** The servers of a session, and where they can be opened. */
export function Served({ sessionId, machine, items, here }: ServedProps) {
  const elsewhere = here
    ? null
    : `It opens in a browser on ${machine} alone; this one is elsewhere.`;
  return (
    <>
      <p className="mb-2 text-sm text-soft">
        What the session serves is its own work: give it no password. It opens under an address of
        its own, in a browser on {machine} alone.
        {!here && ' This browser is elsewhere.'}
      </p>
      {items.length === 0 ? (
        <Nothing>
          None of its processes listens on a port. Tell it to start its server, in the background.
        </Nothing>
      ) : (
        <ul aria-label="Servers" className="divide-y rounded-md border">
          {items.map((item) => (
            <Server key={item.port} sessionId={sessionId} item={item} elsewhere={elsewhere} />
          ))}
        </ul>
      )}
      {items.length > 0 && !here && (
        <div className="mt-2 text-sm text-soft">
          In a terminal on {machine}, this says the address for a browser there:{' '}
          <Command text={twinOf(sessionId, items)} />
        </div>
      )}
    </>
  );
}

const twinOf = (sessionId: string, items: readonly PreviewPort[]): string =>
  cliTwin.preview(sessionId, items[0]?.port ?? null);

/** An address is asked for by a press, and followed by another: a window that opens late is blocked. */
function Server({
  sessionId,
  item,
  elsewhere,
}: {
  sessionId: string;
  item: PreviewPort;
  /** Why its address would lead nowhere; null where it may lead there. */
  elsewhere: string | null;
}) {
  const { port, program, ownNetwork } = item;
  const press = usePress({ mutationFn: () => openPreview(sessionId, port) });
  return (
    <li className="px-2 py-1.5">
      <div className="flex min-h-8 items-center gap-2">
        <span className="figure">{port}</span>
        <span className="min-w-0 flex-1 text-soft">
          <span className="block truncate" title={program}>
            {program}
          </span>
          {ownNetwork && <span className="block text-sm text-faint">in a network of its own</span>}
        </span>
        {press.data ? (
          <a
            href={press.data.url}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            className="text-accent"
          >
            Open port {port}
          </a>
        ) : (
          <Button
            size="small"
            busy={press.isPending}
            reason={elsewhere}
            title={cliTwin.preview(sessionId, port)}
            aria-label={`Preview port ${port}`}
            onClick={() => press.mutate()}
          >
            <AppWindow /> Preview
          </Button>
        )}
      </div>
      {press.isError && <ErrorPanel error={press.error} />}
    </li>
  );
}
