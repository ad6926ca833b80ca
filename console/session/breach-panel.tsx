import { openBreaches } from '../../protocol/breach.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { OpenBreaches } from '../acts/open-breaches.tsx';

/** What the session did that its policy forbids: what exactly, how to undo it, and the way on. */
export function BreachPanel({ view }: { view: SessionView }) {
  const open = openBreaches(view.breaches ?? []);
  if (open.length === 0) return null;
  return (
    <section
      aria-label="Forbidden by its policy"
      className="border-b border-red bg-red-wash px-4 py-3"
    >
      <OpenBreaches doerId={view.sessionId} breaches={open} />
    </section>
  );
}
