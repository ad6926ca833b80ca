import { formatAbsolute, formatAgo } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';

/** A time as how long ago, in full on hover and for machines. */
export function Ago({ at, className }: { at: number; className?: string }) {
  const now = useNow('minute');
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatAbsolute(at)}
      data-at={formatAbsolute(at)}
      className={className}
    >
      {formatAgo(at, now)}
    </time>
  );
}
