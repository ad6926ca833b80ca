import type { StartedProcess } from '../../protocol/by-hand.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Item } from '../feed/items.ts';
import { ByHand } from './side/by-hand.tsx';

/** The last process that was started for a session; null before there was one. */
export function findProcess(items: readonly Item[]): StartedProcess | null {
  for (const item of items.toReversed())
    if (item.kind === 'note' && item.event.type === 'launch/staged' && item.event.process)
      return item.event.process;
  return null;
}

type TryByHandProps = { view: SessionView; items: readonly Item[] };

/** The explicit way to debug, folded: beside what says that something is wrong. */
export function TryByHand({ view, items }: TryByHandProps) {
  const process = findProcess(items);
  if (!process) return null;
  return (
    <details className="w-full text-sm">
      <summary className="w-fit font-medium text-accent">Try it by hand</summary>
      <ByHand process={process} view={view} />
    </details>
  );
}
