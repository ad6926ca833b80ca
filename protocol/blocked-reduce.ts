import type { EventOf } from './engine-event.ts';
import type { SessionState } from './session.ts';
import type { SessionView } from './session-view.ts';

/** What a prompt outside the protocol does to the view; `become` is the reducer's own. */
export function reduceBlocked(
  view: SessionView,
  event: EventOf<'engine/blocked' | 'engine/unblocked'>,
  at: number,
  become: (view: SessionView, to: SessionState, at: number) => SessionView,
): SessionView {
  switch (event.type) {
    case 'engine/blocked': {
      const { excerpt, message } = event;
      return { ...become(view, 'blocked', at), blocked: { excerpt, message }, reason: message };
    }
    case 'engine/unblocked': {
      if (!view.blocked) return view;
      const freed = { ...view, blocked: null, reason: null };
      return view.state === 'blocked' ? become(freed, stateBefore(view), at) : freed;
    }
    default:
      return event satisfies never;
  }
}

/** Where it goes on: in its turn, in its launch, or at rest. */
function stateBefore({ openTurnId, stages }: SessionView): SessionState {
  if (openTurnId !== null) return 'working';
  if (stages.bootstrap_confirmed !== undefined) return 'idle';
  if (stages.bootstrap_submitted !== undefined) return 'bootstrap_submitted';
  return stages.spawned === undefined ? 'queued' : 'spawned';
}
