import { weighBegun } from './anew.ts';
import { fingerprint, remember } from './loop-breaker.ts';
import { hold, think } from './moves.ts';
import { waitOutRefusal } from './refusals.ts';
import type { PilotState, TurnFacts } from './state.ts';

/** Decides what follows a turn, before any brain is asked. */
export function decideJudged(state: PilotState, facts: TurnFacts, at: number): PilotState {
  const { turnId: after, reread: forecast, compactedAt = null } = facts;
  const long = forecast ? { after, forecast, compactedAt } : null;
  const weighed = weighBegun(state, facts);
  const judged = { ...weighed, open: null, position: facts.position, long };
  const waiting = waitOutRefusal(judged, facts, at, false);
  if (waiting) return waiting;
  if (facts.failure === 'auth_missing' || facts.failure === 'auth_expired')
    return hold(
      judged,
      'question',
      `${facts.message ?? 'The engine is not signed in.'} Sign it in, then resume.`,
    );
  if (facts.outcome === 'interrupted')
    return hold(
      judged,
      'question',
      `${facts.message ?? 'The turn was interrupted.'} Resume, or say what to do instead.`,
    );
  // An engine that tells no changes of files changes them all the same.
  const before = state.marks.at(-1)?.tip ?? null;
  const tip = facts.tip ?? before;
  const mark = {
    instruction: fingerprint(state.instruction),
    failing: null,
    changes: facts.changes ?? (tip === before ? null : tip),
    tip,
    acts: facts.acts,
  };
  const marks = remember(state.marks, mark, state.spec.bounds.stallTurns);
  return think({ ...judged, marks, refusals: 0 });
}
