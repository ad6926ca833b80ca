import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { panesQuery } from '../api/panes.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/states.tsx';

/** Only who looks at a terminal loads the code that draws one. */
const PaneView = lazy(async () => {
  try {
    return { default: (await import('./pane-view.tsx')).PaneView };
  } catch {
    return { default: Unloaded };
  }
});

/** The terminal that an instance works in, live on its page once somebody wants to see it. */
export function BoundPane({ runnerId, target }: { runnerId: string; target: string }) {
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...panesQuery(runnerId), enabled: open });
  const pane = query.data?.panes.find((each) => each.target === target);
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          <SquareTerminal /> {open ? 'Hide it' : 'Watch it live'}
        </Button>
        <Link
          to={paths.pane()}
          search={{ runner: runnerId, target }}
          className="text-sm text-accent"
        >
          On a page of its own
        </Link>
      </div>
      {open && query.isError && (
        <div className="mt-3">
          <ErrorPanel error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {open && query.data && (
        <div className="mt-3 flex h-96 flex-col overflow-hidden rounded-md border">
          <Suspense fallback={<p className="p-4 text-soft">Opening the terminal …</p>}>
            <PaneView
              runnerId={runnerId}
              target={target}
              shown={pane?.shown ?? 'live'}
              drive={query.data.drive}
            />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function Unloaded() {
  return (
    <p role="alert" className="p-4 text-red">
      The part of this page that draws a terminal could not be loaded. Reload the page.
    </p>
  );
}
