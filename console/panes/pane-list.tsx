import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { Presence } from '../../protocol/machine.ts';
import { panesQuery } from '../api/panes.ts';
import { sentenceOfCode } from '../errors.ts';
import { wordsOfFront, wordsOfPlace } from './words.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { Words } from '../ui/words.tsx';

/** The terminals of a machine that its own limits open, looked for on request. */
export function PaneList({ runnerId, presence }: { runnerId: string; presence: Presence }) {
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...panesQuery(runnerId), enabled: open });
  const { data: list } = query;
  return (
    <div className="border-t px-4 py-3">
      <Button
        reason={presence === 'offline' ? sentenceOfCode('runner_offline') : null}
        busy={query.isFetching}
        onClick={() => (open ? void query.refetch() : setOpen(true))}
      >
        <SquareTerminal /> {query.isFetching ? 'Looking…' : open ? 'Look again' : 'Show terminals'}
      </Button>
      {query.isError && (
        <div className="mt-3">
          <ErrorPanel error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {list?.panes.length === 0 && (
        <p className="mt-3 text-soft">
          <Words
            text={
              list.watch
                ? 'None is there. `[terminal]` in limits.toml on that machine says which may be shown, and `default_server = true` there adds your own tmux.'
                : sentenceOfCode('terminal_watch_not_allowed')
            }
          />
        </p>
      )}
      {list && list.panes.length > 0 && (
        <ul aria-label="Terminals" className="mt-3 divide-y rounded-md border">
          {list.panes.map((pane) => (
            <li key={pane.target} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
              <Link
                to={paths.pane()}
                search={{ runner: runnerId, target: pane.target }}
                className="font-medium text-accent"
              >
                {wordsOfPlace(pane)}
              </Link>
              <span className="text-sm text-soft">{wordsOfFront(pane)}</span>
              <code className="min-w-0 truncate text-sm text-faint">{pane.directory}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
