import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { recentSessionsQuery } from '../api/queries.ts';
import { wordOfState } from '../format/state.ts';
import { cx } from '../lib/class-names.ts';
import { FORK_NOW } from '../paths.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PAGES } from './pages.ts';

/** Somewhere to go, with a word on what or how. */
export type Target = {
  label: string;
  hint: string;
  to: string;
  search?: { from: string; fork: string };
};

const MOST = 12;

/** The targets whose label holds every word typed, in any order. */
export function filterTargets(targets: readonly Target[], typed: string): Target[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return targets
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .slice(0, MOST);
}

const FORK = 'Fork this session';

/** On a session's page, the way to a fork of it. Pure. */
export function forkTargets(pathname: string): Target[] {
  const [, from] = /^\/sessions\/([^/]+)$/.exec(pathname) ?? [];
  if (from === undefined) return [];
  return [{ label: FORK, hint: 'as it is now', to: '/launch', search: { from, fork: FORK_NOW } }];
}

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Goes to a page or a session by a few letters of its name. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Go to…">
      <PaletteList close={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PaletteList({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const here = useLocation({ select: ({ pathname }) => pathname });
  const { data } = useQuery(recentSessionsQuery);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const targets = filterTargets(
    [
      { label: 'Launch a session', hint: 'n', to: '/launch' },
      ...forkTargets(here),
      ...PAGES.map(({ label, to, key }) => ({ label, to, hint: `g ${key}` })),
      ...(data ?? []).map((session) => ({
        label: session.title,
        hint: wordOfState(session.state).word,
        to: `/sessions/${session.sessionId}`,
      })),
    ],
    typed,
  );
  const go = (target: Target | undefined) => {
    if (!target) return;
    close();
    void navigate({ to: target.to, ...(target.search && { search: target.search }) });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(targets[at]);
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, targets.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <div>
      <input
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={`${listId}-${at}`}
        aria-label="Page or session"
        placeholder="A page, or words of a session’s title"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="h-9 w-full rounded-md border border-line-strong bg-raised px-3"
      />
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox: a datalist cannot say what its entries are
        role="listbox"
        id={listId}
        aria-label="Targets"
        className="mt-2"
      >
        {targets.map((target, index) => (
          <div
            key={target.label === FORK ? FORK : target.to}
            id={`${listId}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox: a datalist cannot say what its entries are
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => go(target)}
            onKeyDown={press}
            className={cx(
              'flex h-9 items-center gap-3 rounded-sm px-3',
              index === at ? 'bg-accent-wash text-accent' : 'hover:bg-sunken',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{target.label}</span>
            <span className="text-sm text-faint">{target.hint}</span>
          </div>
        ))}
        {targets.length === 0 && <p className="px-3 py-2 text-soft">Nothing has these words.</p>}
      </div>
    </div>
  );
}
