import { useQueryClient } from '@tanstack/react-query';
import { Undo2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { tellError } from '../errors.ts';
import { offerUndo, type Undoable, useUndoable } from '../lib/undo.ts';
import { usePress } from '../lib/use-press.ts';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { Words } from '../ui/words.tsx';

/** How long it is offered, and how long it then says that it was done, in ms. */
export const OFFERED_MS = 10_000;
const DONE_MS = 3_000;

/**
 * Offers to take back what was just done. The region is there from the start, because a screen
 * reader tells of what changes within one and not of one that comes.
 */
export function UndoToast() {
  const undoable = useUndoable();
  // What one person did is not offered to the next who signs in here.
  useEffect(() => () => offerUndo(null), []);
  return (
    <section
      aria-label="What was just done"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-2 bottom-[calc(60px+env(safe-area-inset-bottom))] z-40 flex justify-center md:bottom-4 print:hidden"
    >
      {undoable && <Offer key={keyOf(undoable)} undoable={undoable} />}
    </section>
  );
}

const keys = new WeakMap<Undoable, number>();
let made = 0;

/** Each offer is a part of its own: a new one has its whole time, and knows nothing of the last. */
function keyOf(undoable: Undoable): number {
  const key = keys.get(undoable) ?? (made += 1);
  keys.set(undoable, key);
  return key;
}

function Offer({ undoable }: { undoable: Undoable }) {
  const client = useQueryClient();
  const [held, setHeld] = useState(false);
  const undoing = usePress({
    mutationFn: undoable.undo,
    // Whatever shows it is read again, on whichever page that is by now.
    onSettled: () => client.invalidateQueries(),
  });
  const { isPending, isError, isSuccess } = undoing;
  const waits = held || isPending || isError;
  useEffect(() => {
    if (waits) return undefined;
    const timer = setTimeout(() => offerUndo(null), isSuccess ? DONE_MS : OFFERED_MS);
    return () => clearTimeout(timer);
  }, [waits, isSuccess]);
  const undo = () => {
    if (!isSuccess) undoing.mutate();
  };
  useShortcuts({ z: undo });
  return (
    // Time stands still while somebody points at it or is in it.
    <div
      className="pointer-events-auto flex max-w-md items-center gap-2 rounded-md border border-line-strong bg-raised py-1.5 pr-1.5 pl-3 animate-appear"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={isError ? 'min-w-0 text-red' : 'min-w-0'}>
        {isError ? (
          <Words text={`Not taken back. ${tellError(undoing.error).sentence}`} />
        ) : isSuccess ? (
          'Taken back.'
        ) : (
          undoable.said
        )}
      </span>
      {!isSuccess && (
        <Button
          size="small"
          className="max-md:h-11 max-md:px-4"
          busy={isPending}
          title="Undo (z)"
          onClick={undo}
        >
          <Undo2 /> {isError ? 'Try again' : 'Undo'}
        </Button>
      )}
      <Button
        size="small"
        kind="quiet"
        className="max-md:h-11 max-md:px-3"
        aria-label="Leave it so"
        onClick={() => offerUndo(null)}
      >
        <X />
      </Button>
    </div>
  );
}
