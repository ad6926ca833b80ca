import { Link } from '@tanstack/react-router';
import { CircleAlert, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { elsewhereOf, isOutdated, tellError } from '../errors.ts';
import { cx } from '../lib/class-names.ts';
import { Button, buttonClass } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Words } from './words.tsx';

/** Under this, a wait is not worth a word, in ms. */
const QUIET_MS = 150;

/** The shape of what is coming, drawn only once waiting is noticeable. */
export function Skeleton({ rows = 5, label }: { rows?: number; label: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output
      aria-label={label}
      data-reading
      aria-hidden={!shown}
      className={cx('block divide-y rounded-md border bg-raised', !shown && 'invisible')}
    >
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="flex h-8 items-center gap-4 px-3">
          <span className="size-2 rounded-full bg-line" />
          <span className={cx('h-2 rounded bg-line', index % 2 ? 'w-2/5' : 'w-1/2')} />
          <span className="ml-auto h-2 w-16 rounded bg-line" />
        </span>
      ))}
    </output>
  );
}

/**
 * What went wrong, what it means, what to do; with the request id, Retry only where that helps, and
 * otherwise where to go.
 */
export function ErrorPanel({
  error,
  retry,
  renew,
}: {
  error: unknown;
  retry?: () => void;
  /** Shows what was edited as it stands now, where somebody else has saved another version. */
  renew?: (() => void) | undefined;
}) {
  const { sentence, requestId, retryable } = tellError(error);
  const elsewhere = elsewhereOf(error);
  return (
    <div role="alert" className="flex gap-3 rounded-md border border-red-line bg-red-wash p-3">
      <CircleAlert className="mt-0.5 shrink-0 text-red" />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <Words text={sentence} />
        </p>
        {requestId && (
          <p className="mt-1 flex items-center gap-1 text-sm text-soft">
            Request <code className="break-all">{requestId}</code>
            <CopyButton text={requestId} label="Copy the request id" />
          </p>
        )}
      </div>
      {elsewhere && (
        <Link to={elsewhere.to} className={cx(buttonClass('plain'), 'shrink-0')}>
          {elsewhere.label}
        </Link>
      )}
      {renew && isOutdated(error) && (
        <Button size="small" onClick={renew}>
          <RotateCw /> Show how it stands now
        </Button>
      )}
      {retry && retryable && (
        <Button size="small" onClick={retry}>
          <RotateCw /> Retry
        </Button>
      )}
    </div>
  );
}

/** Nothing here yet: what this place is for, and the one thing to do. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="rounded-md border border-dashed border-line-strong px-6 py-10 text-center">
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="mx-auto mt-1 max-w-prose text-soft">{children}</p>
      {action && <div className="mt-4 flex justify-center">{action}</div>}
    </div>
  );
}
