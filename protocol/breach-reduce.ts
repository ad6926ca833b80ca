import type { EventOf } from './engine-event.ts';
import type { SessionState } from './session.ts';
import type { SessionView } from './session-view.ts';

type Become = (view: SessionView, to: SessionState, at: number) => SessionView;

/** What a breach, and a person's word for it, leave in the view. Told twice, each is one. */
export function reduceBreach(
  view: SessionView,
  event: EventOf<'breach/found' | 'breach/overridden' | 'session/resumed'>,
  at: number,
  become: Become,
): SessionView {
  switch (event.type) {
    case 'breach/found': {
      const { breach } = event;
      const known = view.breaches.some(({ actId }) => actId === breach.actId);
      return known
        ? view
        : { ...view, breaches: [...view.breaches, { ...breach, at, override: null }] };
    }
    case 'breach/overridden': {
      const { actId, reason, actorId, channel } = event;
      const breaches = view.breaches.map((each) =>
        each.actId === actId && each.override === null
          ? { ...each, override: { reason, actorId, channel, at } }
          : each,
      );
      return { ...view, breaches };
    }
    case 'session/resumed':
      return view.state === 'halted' ? { ...become(view, 'parked', at), reason: null } : view;
    default:
      return event satisfies never;
  }
}
