import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { SpendBucket } from '../../protocol/usage.ts';
import { measuredBy, NOTHING_MEASURED } from './measures.ts';
import { modelGrantOf } from './meter-rules.ts';
import type { SessionState } from './session-state.ts';

/** What a budget counts, by where each figure comes from: one is never summed as another. */
export type CountedBucket = Exclude<SpendBucket, 'unmetered' | 'rehearsal'>;
export type Spent = Partial<Record<CountedBucket, number>>;

/** Everything that is recorded and counts, in micro-USD. */
export const sumOf = (spent: Spent): number =>
  Object.values(spent).reduce((sum, microUsd) => sum + microUsd, 0);

/** What of it somebody pays for. */
const paidOf = (spent: Spent): number => sumOf(spent) - (spent.notional ?? 0);

/** What the session has come to, by whichever witness saw more, in micro-USD. */
export const comeTo = ({ spent, estimateMicroUsd, model }: SessionState): number =>
  Math.max(sumOf(spent) + estimateMicroUsd, model?.microUsd ?? 0);

/** The same without what is notional. */
function paidComeTo({ spent, estimateMicroUsd, model, payer }: SessionState): number {
  const estimate = payer === 'subscription' ? 0 : estimateMicroUsd;
  return Math.max(paidOf(spent) + estimate, model?.microUsd ?? 0);
}

/** How far the session as a whole may go in a turn that was granted so much. */
export function capOf(state: SessionState, grant: TurnGrant | undefined): TurnGrant | undefined {
  if (!grant) return undefined;
  const { microUsd, paidMicroUsd, tokens, timeMs } = grant;
  const { measured = NOTHING_MEASURED } = state;
  return {
    microUsd: microUsd === null ? null : comeTo(state) + microUsd,
    paidMicroUsd: paidMicroUsd === null ? null : paidComeTo(state) + paidMicroUsd,
    ...(tokens !== undefined && { tokens: measured.tokens + tokens }),
    ...(timeMs !== undefined && { timeMs: measured.timeMs + timeMs }),
  };
}

/** Of what the turn under way has come to all that it was granted; null while of nothing. */
export function overGrant(
  state: SessionState,
  nowMs: number,
): 'dollars' | 'tokens' | 'time' | null {
  const cap = state.held?.cap;
  if (!cap) return null;
  if (state.model?.overBudget === true && bindsByGrant(state)) return 'dollars';
  if (cap.microUsd !== null && comeTo(state) >= cap.microUsd) return 'dollars';
  if (cap.paidMicroUsd !== null && paidComeTo(state) >= cap.paidMicroUsd) return 'dollars';
  const { tokens, timeMs } = measuredBy(state, nowMs);
  if (tokens >= (cap.tokens ?? Infinity)) return 'tokens';
  return timeMs >= (cap.timeMs ?? Infinity) ? 'time' : null;
}

/** Whether it is dollars that were granted, which a model without a price cannot be held to. */
export const hasDollars = (grant: TurnGrant | undefined): boolean =>
  grant !== undefined && (grant.microUsd !== null || grant.paidMicroUsd !== null);

/** Everything that a session's calls may come to at the model gate, in micro-USD; null is no limit. */
export function grantOfSession(state: SessionState): number | null {
  return leastOf(grantByLaunch(state), grantByTurn(state));
}

/** Whether it is the turn's grant that is reached first, and not the session's own limit. */
export function bindsByGrant(state: SessionState): boolean {
  const byTurn = grantByTurn(state);
  return byTurn !== null && byTurn < (grantByLaunch(state) ?? Infinity);
}

const grantByLaunch = ({ launch, spent, model }: SessionState): number | null =>
  modelGrantOf(launch.budgetMicroUsd, sumOf(spent), model?.microUsd);

/** Of the turn under way, or of the one that a process is started for. */
function grantByTurn(state: SessionState): number | null {
  const { held, queue, spent, model } = state;
  const cap = held ? held.cap : capOf(state, queue[0]?.grant);
  if (!cap) return null;
  return leastOf(
    modelGrantOf(cap.microUsd, sumOf(spent), model?.microUsd),
    modelGrantOf(cap.paidMicroUsd, paidOf(spent), model?.microUsd),
  );
}

const leastOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
