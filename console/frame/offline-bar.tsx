import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { formatAbsolute, formatClock, formatSpan } from '../format/time.ts';
import { useReachability } from '../lib/reachability.ts';
import { useNow } from '../lib/use-now.ts';
import { Button } from '../ui/button.tsx';

/** Says since when a page shows old things, and that it tries again by itself. */
export function StaleBar({ since, retry }: { since: number; retry: () => void }) {
  const now = useNow('second');
  return (
    <output className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-amber-line bg-amber-wash px-4 py-1.5 text-amber">
      <WifiOff className="shrink-0" />
      <span className="min-w-0 flex-1">
        No connection to Pilothouse since{' '}
        <time dateTime={new Date(since).toISOString()} title={formatAbsolute(since)}>
          {formatClock(since, now)}
        </time>{' '}
        ({formatSpan(Math.max(0, now - since))}). You see what was known then; it tries again by
        itself.
      </span>
      <Button size="small" onClick={retry}>
        Try now
      </Button>
    </output>
  );
}

/** The bar of every page that reads lists; a session's page has one for its own connection. */
export function OfflineBar() {
  const reachability = useReachability();
  const queryClient = useQueryClient();
  if (reachability.reachable) return null;
  return (
    <StaleBar
      since={reachability.since}
      retry={() => void queryClient.refetchQueries({ type: 'active' })}
    />
  );
}
