import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

/** An address that no page has. */
export function NotFoundPage() {
  return (
    <main className="mx-auto w-full max-w-xl p-6">
      <Empty
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go home
          </Link>
        }
      >
        The link may be of another version, or a letter is missing. Everything that exists is
        reachable from home.
      </Empty>
    </main>
  );
}
