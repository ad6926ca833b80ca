import type { Payer } from '../../protocol/usage.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import { leftOfBudget } from '../sessions/budget-rules.ts';
import { grantOfSession } from '../sessions/spent.ts';
import type { SessionState } from '../sessions/session-state.ts';

/** How far a question to an engine may go, in micro-USD; null is no limit. */
export type AskCap = {
  microUsd: number | null;
  /** The same for all calls of the session together, as the model gate counts them. */
  gateMicroUsd: number | null;
  /** It is what the account's budgets granted that is reached first, and not the session's limit. */
  byGrant: boolean;
};

/** Decides how far one question may go: what is left of the session's limit, and what it was granted. */
export function decideAskCap(
  state: SessionState,
  grant: TurnGrant | undefined,
  payer: Payer,
): AskCap {
  const left = leftOfBudget(state);
  const gateMicroUsd = grantOfSession(state);
  const paid = payer === 'subscription' ? null : (grant?.paidMicroUsd ?? null);
  const granted = Math.min(grant?.microUsd ?? Infinity, paid ?? Infinity);
  if (granted === Infinity || granted >= (left ?? Infinity))
    return { microUsd: left, gateMicroUsd, byGrant: false };
  // A turn that runs beside it has a grant of its own, which this one is not to lower.
  const seen = state.model?.microUsd ?? 0;
  const gate = state.held ? gateMicroUsd : seen + granted;
  return { microUsd: granted, gateMicroUsd: gate, byGrant: true };
}
