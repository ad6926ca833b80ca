import type { EventOf } from './engine-event.ts';
import type { SessionState } from './session.ts';
import type { SessionView } from './session-view.ts';

type TakeoverEvent = EventOf<
  'takeover/began' | 'takeover/released' | 'terminal/opened' | 'terminal/closed'
>;

/** What a takeover does to the view; `become` is the reducer's own way into another state. */
export function reduceTakeover(
  view: SessionView,
  event: TakeoverEvent,
  at: number,
  become: (view: SessionView, to: SessionState, at: number) => SessionView,
): SessionView {
  switch (event.type) {
    case 'takeover/began': {
      const { form, actorId, channel, epoch } = event;
      return { ...view, takeover: { form, actorId, channel, epoch, at } };
    }
    case 'takeover/released':
      return { ...view, takeover: null };
    case 'terminal/opened':
      return become(view, 'taken_over', at);
    case 'terminal/closed': {
      // The runner opens it again when it is back: the person still drives.
      const takeover = event.reason === 'runner_restarted' ? (view.takeover ?? null) : null;
      return become({ ...view, takeover }, 'parked', at);
    }
    default:
      return event satisfies never;
  }
}
