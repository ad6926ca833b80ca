import { formatCount } from '../format/locale.ts';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';

/** The first of many, and more of them on request: thousands at once would stop the page. */
export function useMore<T>(all: readonly T[], first: number, step: number) {
  const [most, setMost] = useState(first);
  return {
    shown: all.slice(0, most),
    left: Math.max(0, all.length - most),
    more: () => setMost((before) => before + step),
    reach: (index: number) => setMost((before) => Math.max(before, index + 1)),
    step,
  };
}

/** What is left, and the button that shows the next of it; nothing where all is shown. */
export function ShowMore({
  more: { left, more, step },
  what,
}: {
  more: Pick<ReturnType<typeof useMore>, 'left' | 'more' | 'step'>;
  what: string;
}) {
  if (left === 0) return null;
  return (
    <div className="flex items-center gap-3 py-2">
      <Button size="small" onClick={more}>
        Show {formatCount(Math.min(step, left))} more
      </Button>
      <span className="text-sm text-faint">
        {formatCount(left)} {what} not shown
      </span>
    </div>
  );
}
