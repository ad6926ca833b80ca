import type { TurnView } from './session-view.ts';

/** A turn that came back and is handed over anew: what was said of it before is over. */
export const handAgain = (turn: TurnView): TurnView =>
  turn.state === 'accepted' && turn.delivery === 'undelivered'
    ? { ...turn, delivery: null, deliveryReason: null }
    : turn;
