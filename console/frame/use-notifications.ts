import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SessionSummary } from '../../protocol/http.ts';
import { findThisDevice } from '../push/this-browser.ts';
import type { BudgetWarning } from './budget-warnings.ts';
import {
  decideRinging,
  decideTelling,
  decideWarning,
  sessionLookedAt,
  type Telling,
  type Told,
} from './notify.ts';
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
  const client = useQueryClient();
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
    if (readBell() !== 'on' || telling.tell.length === 0) return;
    const show = ({ tag, sessionId, title, body }: Told) => {
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
    };
    // What is pushed rings once: by the worker beside the pages, and not by each page as well.
    const ring = async () => {
      const device = await findThisDevice(client);
      for (const told of telling.tell)
        if (known.current?.has(told.tag) && (!device || decideRinging(told, device, Date.now())))
          show(told);
    };
    void ring();
  }, [now, navigate, client]);
}
