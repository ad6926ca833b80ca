import { Link } from '@tanstack/react-router';
import { PAGES } from './pages.ts';

const LINK =
  'flex flex-col items-center justify-center gap-0.5 rounded-md text-xs text-soft max-md:text-[10px] max-md:tracking-tight hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent';

/** The pages: a rail on the left, a bar at the bottom where the thumb is. */
export function Rail() {
  return (
    <nav
      aria-label="Pages"
      data-frame="rail"
      className="order-last flex shrink-0 print:hidden justify-around border-t bg-paper px-1 pt-1 pb-[max(4px,env(safe-area-inset-bottom))] md:order-first md:w-[76px] md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r md:px-1.5 md:py-2"
    >
      {PAGES.map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/' }}
          className={`${LINK} h-11 min-w-0 flex-auto md:h-12 md:w-full md:flex-none`}
        >
          <Icon />
          {label}
        </Link>
      ))}
    </nav>
  );
}
