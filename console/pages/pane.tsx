import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { panesQuery } from '../api/panes.ts';
import { runnersQuery } from '../api/queries.ts';
import { PaneView } from '../panes/pane-view.tsx';
import { wordsOfPlace } from '../panes/words.ts';
import { paths } from '../paths.ts';
import { cliTwin } from '../format/cli.ts';
import { CopyButton } from '../ui/copy.tsx';
import { useTitle } from '../ui/page.tsx';

const route = getRouteApi('/house/machines/terminal');

/** One terminal of a machine, as large as the window. */
export function PanePage() {
  const { runner: runnerId, target } = route.useSearch();
  const { data: list } = useQuery(panesQuery(runnerId));
  const { data: runners } = useQuery(runnersQuery);
  const pane = list?.panes.find((each) => each.target === target);
  const name = runners?.find((each) => each.runnerId === runnerId)?.name ?? runnerId;
  const title = pane ? wordsOfPlace(pane) : 'Terminal';
  useTitle(title);
  return (
    <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      <header className="flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2">
        <h1 className="text-md font-semibold">{title}</h1>
        <Link to={paths.machines()} className="text-sm text-accent">
          {name}
        </Link>
        {pane && (
          <span className="min-w-0 truncate text-sm text-faint">
            {pane.program} · <code>{pane.directory}</code>
          </span>
        )}
        {target.startsWith('tmux:') && (
          <span className="ml-auto self-center">
            <CopyButton
              text={cliTwin.attach(target)}
              label="Copy the command that shows it in a terminal there"
            />
          </span>
        )}
      </header>
      <PaneView
        key={target}
        runnerId={runnerId}
        target={target}
        shown={pane?.shown ?? (target.startsWith('tmux:') ? 'live' : 'polled')}
        drive={list?.drive ?? null}
      />
    </main>
  );
}
