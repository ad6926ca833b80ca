import { CirclePause } from 'lucide-react';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Item } from '../feed/items.ts';
import { wordOfState } from '../format/state.ts';
import { Terminal } from '../transcript/output.tsx';
import { Words } from '../ui/words.tsx';
import { TryByHand } from './by-hand.tsx';

/** What an engine waits for that nobody types from here, and the way on. */
export function BlockedPanel({ view, items }: { view: SessionView; items: readonly Item[] }) {
  const blocked = view.blocked ?? null;
  if (blocked === null) return null;
  return (
    <section aria-label="What blocks it" className="border-b bg-amber-wash px-4 py-3">
      <div className="mx-auto flex max-w-4xl flex-wrap items-start gap-3">
        <CirclePause className="mt-0.5 text-amber" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">{wordOfState('blocked').meaning}</p>
          <p className="break-words text-soft">
            <Words text={blocked.message} />
          </p>
        </div>
        {blocked.excerpt !== '' && (
          <div
            data-excerpt
            className="max-h-48 w-full overflow-y-auto rounded-md border bg-paper px-3 py-2"
          >
            <Terminal text={blocked.excerpt} />
          </div>
        )}
        <TryByHand view={view} items={items} />
      </div>
    </section>
  );
}
