import { formatAbsolute, formatAgo, formatUntil } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';

type Moment = { at: number; className?: string };

/** A time as how long ago, in full on hover and for machines. */
export function Ago({ at, className }: Moment) {
  const now = useNow('minute');
  return <Time at={at} className={className} words={formatAgo(at, now)} />;
}

/** A time to come as how long until then, in full on hover and for machines. */
export function Until({ at, className }: Moment) {
  const now = useNow('second');
  return <Time at={at} className={className} words={formatUntil(at, now)} />;
}

function Time({
  at,
  className,
  words,
}: {
  at: number;
  className: string | undefined;
  words: string;
}) {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatAbsolute(at)}
      data-at={formatAbsolute(at)}
      className={className}
    >
      {words}
    </time>
  );
}
