import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { openPalette, openShortcutHelp, setOverlay, useOverlay } from './overlays.ts';
import { PAGES } from './pages.ts';
import { Palette } from './palette.tsx';

const HELP: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'go to a page or a session'],
  ...PAGES.map(({ key, label }) => [`g ${key}`, `go to ${label}`] as const),
  ['n', 'launch a session'],
  ['a', 'allow what the approval in focus asks for'],
  ['d', 'deny it'],
  ['z', 'take back what was just done, while it is offered'],
  ['/', 'in a session: search its transcript; in a report of decisions: filter'],
  ['] [', 'in a session: the next and the previous act'],
  ['j k', 'in a report of decisions: the next and the previous record'],
  ['Enter', 'in the composer: send'],
  ['Shift Enter', 'in the composer: a new line'],
  ['Ctrl Enter', 'in the composer: steer the turn under way, where the engine takes that'],
  ['?', 'this list'],
];

/** The keys that work on every page, and the overlays that they open. */
export function Shortcuts() {
  const navigate = useNavigate();
  const overlay = useOverlay();
  const go = (to: string) => void navigate({ to });
  useShortcuts({
    ...Object.fromEntries(PAGES.map(({ key, to }) => [`g ${key}`, () => go(to)])),
    n: () => go('/launch'),
    '?': openShortcutHelp,
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      // Whoever comes back to the page finds the page, not what stood open above it.
      setOverlay(null);
    };
  }, []);
  const close = (open: boolean) => {
    if (!open) setOverlay(null);
  };
  return (
    <>
      <Dialog open={overlay === 'shortcuts'} onOpenChange={close} title="Keyboard shortcuts">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {HELP.map(([keys, meaning]) => (
            <div key={keys} className="contents">
              <dt>
                <kbd className="rounded-sm border bg-sunken px-1.5 text-sm">{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
      <Palette open={overlay === 'palette'} onOpenChange={close} />
    </>
  );
}
