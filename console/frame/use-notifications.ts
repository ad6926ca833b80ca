import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SessionSummary } from '../../protocol/http.ts';
import { decideTelling, sessionLookedAt } from './notify.ts';
import { readThisDevice } from '../push/this-browser.ts';
import { readBell } from './notifications.ts';

/** Tells what needs a person while they look elsewhere. Null: the sessions are not known yet. */
export function useNotifications(needs: readonly SessionSummary[] | null): void {
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string> | null>(null);
  const shown = useRef(new Map<string, Notification>());
  useEffect(() => {
    if (needs === null) return;
    const lookedAt = sessionLookedAt(location.pathname, document.visibilityState === 'visible');
    const telling = decideTelling(needs, known.current, lookedAt);
    known.current = telling.known;
    for (const tag of telling.withdraw) {
      shown.current.get(tag)?.close();
      shown.current.delete(tag);
    }
    // What is pushed rings once: by the worker beside the pages, and not by each page as well.
    if (readBell() !== 'on' || readThisDevice() !== null) return;
    for (const { tag, sessionId, title, body } of telling.tell) {
      // The same tag in another tab of this console replaces it: one thing rings once.
      const notification = new Notification(title, { body, tag, icon: '/icon.svg' });
      shown.current.set(tag, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        void navigate({ to: '/sessions/$sessionId', params: { sessionId } });
      });
    }
  }, [needs, navigate]);
}
