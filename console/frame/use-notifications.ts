import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SessionSummary } from '../../protocol/http.ts';
import { readThisDevice } from '../push/this-browser.ts';
import type { BudgetWarning } from './budget-warnings.ts';
import { decideTelling, decideWarning, sessionLookedAt, type Telling } from './notify.ts';
import { readBell } from './notifications.ts';

/**
 * Tells what needs a person, and which budgets are used up to a mark, while they look elsewhere.
 * Null: they are not known yet.
 */
export function useNotifications(
  needs: readonly SessionSummary[] | null,
  warnings: readonly BudgetWarning[] | null,
): void {
  useTelling(needs, (now, known) =>
    decideTelling(
      now,
      known,
      sessionLookedAt(location.pathname, document.visibilityState === 'visible'),
    ),
  );
  useTelling(warnings, decideWarning);
}

/** Shows what each look leads to, and takes back what is over. */
function useTelling<T>(
  now: readonly T[] | null,
  decide: (now: readonly T[], known: ReadonlySet<string> | null) => Telling,
): void {
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string> | null>(null);
  const shown = useRef(new Map<string, Notification>());
  const decided = useRef(decide);
  useEffect(() => {
    if (now === null) return;
    const telling = decided.current(now, known.current);
    known.current = telling.known;
    for (const tag of telling.withdraw) {
      shown.current.get(tag)?.close();
      shown.current.delete(tag);
    }
    if (readBell() !== 'on') return;
    // What is pushed rings once: by the worker beside the pages, and not by each page as well.
    const pushed = readThisDevice() !== null;
    for (const { tag, sessionId, title, body } of telling.tell) {
      if (pushed && sessionId !== null) continue;
      // The same tag in another tab of this console replaces it: one thing rings once.
      const notification = new Notification(title, { body, tag, icon: '/icon.svg' });
      shown.current.set(tag, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        void (sessionId === null
          ? navigate({ to: '/settings' })
          : navigate({ to: '/sessions/$sessionId', params: { sessionId } }));
      });
    }
  }, [now, navigate]);
}
