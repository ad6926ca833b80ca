import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleUser, Plus, Search } from 'lucide-react';
import type { Me } from '../../protocol/http.ts';
import { signOut } from '../api/requests.ts';
import { turnPushOff } from '../push/this-browser.ts';
import { setTheme, THEMES, useTheme } from '../lib/theme.ts';
import { buttonClass } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { NeedsTray } from './needs-tray.tsx';
import { openPalette, openShortcutHelp } from './overlays.ts';

function Mark() {
  return (
    <Link to="/" className="flex items-center gap-2 font-semibold" aria-label="Pilothouse, home">
      <svg viewBox="0 0 32 32" aria-hidden className="size-5 text-accent">
        <path
          d="M5 25h22M7 25V14l4-6h10l4 6v11M7 15h18M16 8V3"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className="hidden sm:inline">Pilothouse</span>
    </Link>
  );
}

/** What is reachable from every page: going elsewhere, what needs somebody, launching, oneself. */
export function TopBar({ me }: { me: Me }) {
  const theme = useTheme();
  const queryClient = useQueryClient();
  const leave = async () => {
    await signOut();
    // Whoever signs in here next is not told of by what the last one chose.
    await turnPushOff().catch(() => undefined);
    queryClient.clear();
    location.assign('/');
  };
  return (
    <header
      data-frame="bar"
      className="flex h-[calc(3rem+env(safe-area-inset-top))] shrink-0 items-center gap-2 border-b px-3 pt-[env(safe-area-inset-top)] md:px-4 print:hidden"
    >
      <Mark />
      <button
        type="button"
        onClick={openPalette}
        className="ml-auto inline-flex h-8 items-center gap-2 rounded-md px-2 text-faint hover:bg-sunken hover:text-ink"
      >
        <Search />
        <span className="hidden md:inline">Go to…</span>
        <kbd className="hidden rounded-sm border px-1 text-xs md:inline">Ctrl K</kbd>
        <span className="sr-only md:hidden">Go to a page or session</span>
      </button>
      <NeedsTray />
      <Link to="/launch" className={buttonClass('primary')}>
        <Plus /> Launch
      </Link>
      <Menu
        trigger={
          <button
            type="button"
            aria-label="You and this console"
            className="grid size-8 place-items-center rounded-md text-faint hover:bg-sunken hover:text-ink"
          >
            <CircleUser />
          </button>
        }
      >
        <MenuLabel>
          {me.principal.name} · version {me.version}
        </MenuLabel>
        <MenuChoice label="Theme" value={theme} options={THEMES} onChoose={setTheme} />
        <MenuLine />
        <MenuItem onSelect={openShortcutHelp}>Keyboard shortcuts</MenuItem>
        <MenuItem onSelect={() => window.open('/v1/reference', '_blank', 'noopener')}>
          API reference
        </MenuItem>
        <MenuItem onSelect={() => void leave()}>Sign out of this browser</MenuItem>
      </Menu>
    </header>
  );
}
