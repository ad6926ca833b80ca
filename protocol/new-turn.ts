import type { TurnId } from './ids.ts';
import type { TurnView } from './session-view.ts';

/** A turn of which nothing is known yet but that it was asked for. `at` in Unix ms. */
export function newTurn(
  turnId: TurnId,
  at: number,
  text: string | null,
  actorId: TurnView['actorId'],
): TurnView {
  return {
    turnId,
    text,
    origin: null,
    actorId,
    state: 'accepted',
    delivery: null,
    deliveryReason: null,
    outcome: null,
    error: null,
    acceptedAt: at,
    startedAt: null,
    endedAt: null,
    spend: {},
    acts: 0,
    usage: null,
    actsObserved: null,
    briefed: null,
    witnessed: null,
  };
}
