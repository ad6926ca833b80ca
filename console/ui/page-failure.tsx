import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { RequestFailure } from '../errors.ts';
import { retryPages } from '../lib/lazy-page.tsx';
import { useReachability } from '../lib/reachability.ts';
import { ErrorPanel } from './states.tsx';

/**
 * A page that could not be drawn. While the server is away it comes by itself once that is back;
 * what a new version replaced needs the whole document anew.
 */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const away = error instanceof RequestFailure && error.code === 'unreachable';
  const { reachable } = useReachability();
  const again = () => {
    retryPages();
    reset();
  };
  useEffect(() => {
    if (away && reachable) again();
    // oxlint-disable-next-line react/exhaustive-deps -- only when it becomes reachable, not at each drawing
  }, [reachable]);
  return (
    <main className="mx-auto w-full max-w-2xl p-6">
      <ErrorPanel error={error} retry={away ? again : () => location.reload()} />
    </main>
  );
}
