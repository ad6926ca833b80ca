import { Anchor, ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { nextOf } from './find.ts';

type FindBarProps = {
  /** The row that was gone to last, by its index; -1 before. */
  at: number;
  acts: readonly number[];
  /** The rows that hold some words. */
  find: (typed: string) => readonly number[];
  goTo: (index: number) => void;
};

/** Ways through a long transcript: to words, and from act to act. */
export function FindBar({ at, acts, find, goTo }: FindBarProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const places = typed === null ? [] : find(typed);
  const go = (among: readonly number[], step: 1 | -1) => {
    const next = nextOf(among, at, step);
    if (next !== null) goTo(next);
  };
  const open = () => setTyped((before) => before ?? '');
  useShortcuts({ '/': open, ']': () => go(acts, 1), '[': () => go(acts, -1) });
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(null);
    else if (event.key === 'Enter') go(places, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search className="absolute top-2 right-3 z-10 flex max-w-[calc(100%-24px)] items-center gap-1 rounded-md border bg-raised p-0.5 print:hidden">
      {typed !== null && (
        <>
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears because somebody asked to type here
            autoFocus
            type="search"
            aria-label="Search the transcript"
            placeholder="Words"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={press}
            className="h-6 w-36 min-w-0 rounded-sm bg-transparent px-2"
          />
          <output aria-label="Found" className="figure px-1 text-sm text-faint">
            {typed.trim() === '' ? '' : `${places.indexOf(at) + 1} of ${places.length}`}
          </output>
          <Button size="small" kind="quiet" aria-label="Previous" onClick={() => go(places, -1)}>
            <ChevronUp />
          </Button>
          <Button size="small" kind="quiet" aria-label="Next" onClick={() => go(places, 1)}>
            <ChevronDown />
          </Button>
          <Button
            size="small"
            kind="quiet"
            aria-label="Close the search"
            onClick={() => setTyped(null)}
          >
            <X />
          </Button>
        </>
      )}
      {typed === null && (
        <Button size="small" kind="quiet" title="Search ( / )" aria-label="Search" onClick={open}>
          <Search />
        </Button>
      )}
      {acts.length > 0 && (
        <Button
          size="small"
          kind="quiet"
          title="Next act ( ] ), previous ( [ )"
          aria-label={`Next act, ${acts.length} in all`}
          onClick={() => go(acts, 1)}
        >
          <Anchor /> <span className="figure">{acts.length}</span>
        </Button>
      )}
    </search>
  );
}
