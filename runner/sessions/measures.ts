import { tokensOf } from '../../protocol/figures.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import { patch, type Draft } from './session-io.ts';
import type { SessionState } from './session-state.ts';

/** What turns came to beside dollars: tokens however they were read, turns, and their time in ms. */
export type Measured = { tokens: number; turns: number; timeMs: number };
export const NOTHING_MEASURED: Measured = { tokens: 0, turns: 0, timeMs: 0 };

/** What the session came to by now; the turn under way counts as one when it has ended. */
export function measuredBy(state: SessionState, nowMs: number): Measured {
  const { measured = NOTHING_MEASURED, estimateTokens = 0, turnBeganAt = null } = state;
  const open = turnBeganAt === null ? 0 : Math.max(0, nowMs - turnBeganAt);
  return {
    tokens: measured.tokens + estimateTokens,
    turns: measured.turns,
    timeMs: measured.timeMs + open,
  };
}

/** When the time of the turn under way is up, in Unix ms; null where none is, or nothing limits it. */
export function timeUpAt(state: SessionState): number | null {
  const { turnBeganAt = null, measured = NOTHING_MEASURED, held, launch } = state;
  // What was asked to end already is not asked again.
  if (turnBeganAt === null || state.interruptAsked === state.openTurnId) return null;
  const mayTake = Math.min(held?.cap?.timeMs ?? Infinity, launch.limits?.timeMs ?? Infinity);
  return mayTake === Infinity ? null : turnBeganAt + Math.max(0, mayTake - measured.timeMs);
}

export function beganTurn(draft: Draft): void {
  if ((draft.state.turnBeganAt ?? null) === null) patch(draft, { turnBeganAt: draft.nowMs });
}

export function endedTurn(draft: Draft): void {
  const { openTurnId, turnBeganAt = null, measured = NOTHING_MEASURED } = draft.state;
  // A turn that went into another has ended while that one goes on.
  if (openTurnId !== null || turnBeganAt === null) return;
  const { timeMs } = measuredBy(draft.state, draft.nowMs);
  const turns = measured.turns + 1;
  patch(draft, { measured: { ...measured, timeMs, turns }, turnBeganAt: null, estimateTokens: 0 });
}

/** Counts the tokens of what was recorded; the estimate of the same work is over. */
export function recordTokens(draft: Draft, entries: readonly UsageEntry[]): void {
  const { measured = NOTHING_MEASURED } = draft.state;
  const tokens = entries
    .filter(({ provenance }) => provenance !== 'rehearsal')
    .reduce((sum, entry) => sum + tokensOf(entry), measured.tokens);
  patch(draft, { measured: { ...measured, tokens }, estimateTokens: 0 });
}
