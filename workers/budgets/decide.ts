import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type {
  BudgetScope,
  BudgetStanding,
  BudgetVersion,
  CountedSpend,
  TurnGrant,
} from '../../protocol/shared-budget.ts';
import type { Place } from '../lib/calls.ts';
import { isWithinDirectory, normalDirectory } from '../policy/scope.ts';
import type { Period } from './period.ts';

/** What a turn that is not over may come to. */
export type Reservation = Place & { turnId: TurnId; sessionId: SessionId; at: number } & TurnGrant;

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
      return 1;
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
  const exhausted = standings.filter((budget) => leftOf(budget) <= 0);
  // The one that is longest in renewing says when the turn can be sent.
  const budget = exhausted.toSorted(
    (one, other) => (other.renewsAt ?? Infinity) - (one.renewsAt ?? Infinity),
  )[0];
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

/** The least of the shares of some budgets; null where there is none. */
function shareOf(standings: readonly BudgetStanding[]): number | null {
  const shares = standings.map((each) => Math.min(leftOf(each), Math.ceil(each.limit / SHARES)));
  return shares.length === 0 ? null : Math.min(...shares);
}
