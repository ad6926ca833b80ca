import { type AskedCall, boundOfCall, estimateInputTokens } from '../../protocol/call-bound.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type {
  BudgetScope,
  BudgetStanding,
  BudgetVersion,
  CountedSpend,
  TurnGrant,
} from '../../protocol/shared-budget.ts';
import type { CallMost, Place, Spender } from '../lib/calls.ts';
import { isWithinDirectory, normalDirectory } from '../policy/scope.ts';
import type { Period } from './period.ts';

/**
 * What a turn, or a model that is asked beside the turns, may come to as long as it is not over: a
 * `call` of the server's own, or a `question` to an engine, which its machine answers.
 */
export type Reservation = Place & {
  turnId: TurnId;
  kind: 'turn' | 'call' | 'question';
  sessionId: Spender;
  at: number;
} & TurnGrant;

/** What was used in a period, by the ledger's figures. */
export type Used = CountedSpend & { turns: number };

/** How many turns a budget is enough for at least, so that several may run beside one another. */
export const SHARES = 4;

/** Whether a budget counts what is done at a place. */
export function isCounted(scope: BudgetScope, { runnerId, directory }: Place): boolean {
  if (scope.kind === 'account') return true;
  if (directory === null || scope.runnerId !== runnerId) return false;
  return isWithinDirectory(normalDirectory(scope.directory), normalDirectory(directory));
}

/** How a budget stands: what was used in its period, and what turns under way may still come to. */
export function decideStanding(
  version: BudgetVersion & { limit: number },
  { used, held, period }: { used: Used; held: readonly Reservation[]; period: Period },
): BudgetStanding {
  const { scope } = version;
  const reserved = held
    .filter((reservation) => isCounted(scope, reservation))
    .reduce((sum, reservation) => sum + partOf(version, reservation), 0);
  return { ...version, used: usedOf(version, used), reserved, renewsAt: period.renewsAt };
}

function usedOf({ unit, counts }: BudgetVersion, used: Used): number {
  switch (unit) {
    case 'dollars':
      return used[counts];
    case 'tokens':
      return used.tokens;
    case 'turns':
      return used.turns;
    case 'time':
      return used.timeMs;
    default:
      return unit satisfies never;
  }
}

/** What of a budget a turn holds. One that was granted before the budget was set is no part of it. */
function partOf({ unit, counts }: BudgetVersion, reservation: Reservation): number {
  switch (unit) {
    case 'dollars':
      return (counts === 'all' ? reservation.microUsd : reservation.paidMicroUsd) ?? 0;
    case 'tokens':
      return reservation.tokens ?? 0;
    case 'turns':
      return reservation.kind === 'turn' ? 1 : 0;
    case 'time':
      return reservation.timeMs ?? 0;
    default:
      return unit satisfies never;
  }
}

const leftOf = ({ limit, used, reserved }: BudgetStanding): number => limit - used - reserved;

export type GrantDecision =
  | { kind: 'granted'; grant: TurnGrant | null }
  | { kind: 'exhausted'; budget: BudgetStanding };

/**
 * Decides what a turn may come to: of each budget a share, or what is left of it, and the least of
 * these for each unit. Nothing left of any budget refuses the turn. Null is a turn that no budget
 * counts.
 */
export function decideGrant(standings: readonly BudgetStanding[]): GrantDecision {
  const [first] = standings;
  if (!first) return { kind: 'granted', grant: null };
  const budget = longestOf(standings.filter((each) => leftOf(each) <= 0));
  if (budget) return { kind: 'exhausted', budget };
  const dollars = (counts: BudgetVersion['counts']) =>
    shareOf(standings.filter((each) => each.unit === 'dollars' && each.counts === counts));
  const others = (unit: 'tokens' | 'time') =>
    shareOf(standings.filter((each) => each.unit === unit)) ?? undefined;
  const grant = {
    microUsd: dollars('all'),
    paidMicroUsd: dollars('paid'),
    tokens: others('tokens'),
    timeMs: others('time'),
  };
  return { kind: 'granted', grant };
}

/** The one that is longest in renewing says when it can be done. */
const longestOf = (budgets: readonly BudgetStanding[]): BudgetStanding | undefined =>
  budgets.toSorted((one, other) => (other.renewsAt ?? Infinity) - (one.renewsAt ?? Infinity))[0];

/** The most of a call that is about to be made. */
export const mostOf = (call: AskedCall): CallMost => ({
  microUsd: boundOfCall(call)?.microUsd ?? null,
  tokens: estimateInputTokens(call.bytes) + call.outputTokens,
});

/** What of a budget the most of a call takes; a call is no turn, and its time is nobody's. */
export function neededOf({ unit }: Pick<BudgetVersion, 'unit'>, most: CallMost): number {
  if (unit === 'dollars') return most.microUsd ?? Infinity;
  return unit === 'tokens' ? most.tokens : 0;
}

export type CallDecision =
  | { kind: 'granted'; grant: TurnGrant | null }
  | { kind: 'exhausted' | 'unpriced'; budget: BudgetStanding };

/**
 * Decides whether a model may be asked beside the turns: only where every budget in dollars or tokens
 * has left what the call can come to, which it then holds. With `most` null it has a share, as a turn.
 */
export function decideCall(
  standings: readonly BudgetStanding[],
  most: CallMost | null,
): CallDecision {
  const counted = standings.filter(({ unit }) => unit === 'dollars' || unit === 'tokens');
  if (most === null) return decideGrant(counted);
  const dollars = counted.find(({ unit }) => unit === 'dollars');
  if (dollars && most.microUsd === null) return { kind: 'unpriced', budget: dollars };
  const short = longestOf(counted.filter((budget) => leftOf(budget) < neededOf(budget, most)));
  if (short) return { kind: 'exhausted', budget: short };
  const { microUsd, tokens } = most;
  return { kind: 'granted', grant: { microUsd, paidMicroUsd: microUsd, tokens } };
}

/** From this age a call without a word is over, and a question, in ms: far longer than either takes. */
export const CALL_MS = 10 * 60_000;
export const QUESTION_MS = 24 * 3_600_000;

/** What becomes of what is held, for calls and questions that are over. */
export type Over = { ended: TurnId[]; lost: TurnId[] };

/**
 * Decides which holds of a spender are over when it is about to ask for `callId`: one of its models is
 * asked at a time. `told` is what it has on record of its earlier calls; any other call may have been
 * served, of whichever step it was, and is lost. The same question again is the same one, and what an
 * earlier one came to its machine tells.
 */
export function decideEarlier(
  held: readonly Reservation[],
  callId: TurnId,
  told: { ended: readonly TurnId[]; lost: readonly TurnId[] },
): Over {
  const untold = held.filter(
    ({ turnId }) => !told.ended.includes(turnId) && !told.lost.includes(turnId),
  );
  const of = (kind: Reservation['kind']) =>
    untold.filter((each) => each.kind === kind).map(({ turnId }) => turnId);
  return {
    ended: [...told.ended, ...of('question').filter((turnId) => turnId !== callId)],
    lost: [...told.lost, ...of('call')],
  };
}

/**
 * Decides which holds are over by their age. A call that its spender has nothing on record of counts
 * as the most that it can be, for it may have been served. What a question came to its machine has on record, and tells when it can.
 */
export function decideAged(held: readonly Reservation[], nowMs: number): Over {
  const of = (kind: Reservation['kind'], forMs: number) =>
    held
      .filter((each) => each.kind === kind && nowMs - each.at >= forMs)
      .map(({ turnId }) => turnId);
  return { ended: of('question', QUESTION_MS), lost: of('call', CALL_MS) };
}

/** The least of the shares of some budgets; null where there is none. */
function shareOf(standings: readonly BudgetStanding[]): number | null {
  const shares = standings.map((each) => Math.min(leftOf(each), Math.ceil(each.limit / SHARES)));
  return shares.length === 0 ? null : Math.min(...shares);
}
