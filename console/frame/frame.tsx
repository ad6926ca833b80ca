import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { meQuery } from '../api/queries.ts';
import { isSignedOut } from '../errors.ts';
import { ErrorPanel } from '../ui/states.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SignedOut } from './signed-out.tsx';
import { TopBar } from './top-bar.tsx';
import { UndoToast } from './undo-toast.tsx';

/** What stands around every page, once it is known who looks. */
export function Frame() {
  const me = useQuery(meQuery);
  if (isSignedOut(me.error)) return <SignedOut retry={() => void me.refetch()} />;
  if (me.data === undefined) {
    if (me.isPending) return null;
    return (
      <main className="mx-auto w-full max-w-xl p-6">
        <ErrorPanel error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  }
  return (
    <div className="flex h-(--seen-height,100dvh) flex-col pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)] md:flex-row print:block print:h-auto">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent-fill px-3 py-1.5 text-on-fill focus:translate-y-0"
      >
        Skip to the page
      </a>
      <Rail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
        <TopBar me={me.data} />
        <OfflineBar />
        <Outlet />
      </div>
      <UndoToast />
      <Shortcuts />
    </div>
  );
}
