import type { TurnId } from '../../protocol/ids.ts';
import { spanOf } from '../../protocol/run-compose.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import { countedSpend } from '../../protocol/shared-budget.ts';
import type { Settlement, ToldSession } from '../lib/calls.ts';

const NO_CALLS = { ended: [], lost: [] } as const;

/**
 * What the record of a session says of the turns and calls that hold a grant. Sums, not differences: said
 * twice, or only the second time, it comes to the same.
 */
export function settlementOf(
  { runnerId, view, underway, calls = NO_CALLS }: ToldSession,
  held: readonly TurnId[],
): Settlement {
  const over = phaseOf(view.state) === 'ended' || phaseOf(view.state) === 'failed';
  const turns = view.turns.filter(({ turnId }) => held.includes(turnId));
  return {
    sessionId: view.sessionId,
    place: { runnerId, directory: view.launch.directory },
    spend: { ...countedSpend(view.spend), timeMs: timeOf(view.turns) },
    ended: [
      ...turns.filter((turn) => hasEnded(turn, over)).map(({ turnId }) => turnId),
      ...calls.ended,
    ],
    lost: calls.lost,
    // One that came back and is handed over again is undelivered until its machine says more.
    released: turns
      .filter((turn) => isFree(turn, over) && !underway.includes(turn.turnId))
      .map(({ turnId }) => turnId),
  };
}

/** What the turns took that are over, in ms; a person's own terminal is no work of an engine. */
const timeOf = (turns: readonly TurnView[]): number =>
  turns.filter(({ origin }) => origin !== 'terminal').reduce((sum, turn) => sum + spanOf(turn), 0);

const hasEnded = ({ state, delivery }: TurnView, over: boolean): boolean =>
  state === 'ended' || (over && (state === 'started' || delivery === 'unknown'));

const isFree = ({ state, delivery }: TurnView, over: boolean): boolean =>
  state === 'accepted' && (delivery === 'undelivered' || (over && delivery !== 'unknown'));
