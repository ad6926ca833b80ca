import type { RunnerId, TurnId } from '../../protocol/ids.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { SessionView, TurnView } from '../../protocol/session-view.ts';
import { countedSpend } from '../../protocol/shared-budget.ts';
import type { Settlement } from '../lib/calls.ts';

/**
 * What the record of a session says of the turns that hold a grant. Sums, not differences: said
 * twice, or only the second time, it comes to the same.
 */
export function settlementOf(
  { runnerId, view }: { runnerId: RunnerId; view: SessionView },
  held: readonly TurnId[],
): Settlement {
  const over = phaseOf(view.state) === 'ended' || phaseOf(view.state) === 'failed';
  const turns = view.turns.filter(({ turnId }) => held.includes(turnId));
  return {
    sessionId: view.sessionId,
    place: { runnerId, directory: view.launch.directory },
    spend: countedSpend(view.spend),
    ended: turns.filter((turn) => hasEnded(turn, over)).map(({ turnId }) => turnId),
    released: turns.filter((turn) => isFree(turn, over)).map(({ turnId }) => turnId),
  };
}

const hasEnded = ({ state, delivery }: TurnView, over: boolean): boolean =>
  state === 'ended' || (over && (state === 'started' || delivery === 'unknown'));

const isFree = ({ state, delivery }: TurnView, over: boolean): boolean =>
  state === 'accepted' && (delivery === 'undelivered' || (over && delivery !== 'unknown'));
