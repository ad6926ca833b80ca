import {
  describeBegunAnew,
  describeReread,
  savesBegunAnew,
} from '../../../protocol/reread-forecast.ts';
import { pause, send, think } from './moves.ts';
import type { PilotState, TurnFacts } from './state.ts';

/** Turns that still read more than this part of what they did were long by themselves. */
const HELPED = 0.5;

/**
 * Why the conversation is begun anew before the next instruction, with the figures; null where it
 * is kept: nobody asked for it, it is not long, too few turns are left, or it did not help before.
 */
export function whyAnew({ spec, long, inVain = false, turns }: PilotState): string | null {
  if (!spec.beginsAnew || !long || inVain) return null;
  const { forecast } = long;
  if (!savesBegunAnew(forecast, spec.bounds.maxTurns - turns)) return null;
  return `${describeReread(forecast)} ${describeBegunAnew()}`;
}

/** Begins the conversation anew, and hands `unsent` over after it. */
export function beginAnew(
  state: PilotState,
  unsent: NonNullable<PilotState['unsent']>,
  why: string,
): PilotState {
  if (!state.long) return send(state, unsent);
  const { after, forecast, compactedAt } = state.long;
  return {
    ...state,
    hold: null,
    proposal: null,
    unsent,
    status: 'instructing',
    reason: `${why} It is begun anew.`,
    begun: { tokens: forecast.cacheReadTokens, compactedAt },
    effect: { do: 'anew', after },
  };
}

/** It was begun anew, or could not be: the instruction is handed over either way. */
export function goOnAnew(state: PilotState, refused: boolean): PilotState {
  const { begun = null } = state;
  return sendUnsent({ ...state, long: null, begun: refused ? null : begun });
}

/** Hands over what was decided, or pauses where a person asked for that while it was begun anew. */
export function sendUnsent(state: PilotState): PilotState {
  if (state.pauseNext) return pause(state);
  return state.unsent ? send(state, state.unsent) : think(state);
}

/**
 * Weighs the last beginning anew by the first turns after it that tell what they read: one that did
 * not help is the last of its run. A machine that would not begin it anew has not begun it.
 */
export function weighBegun(
  state: PilotState,
  { rereadTokens = null, compactedAt = null }: TurnFacts,
): PilotState {
  const { begun = null } = state;
  if (begun === null) return state;
  if (compactedAt === begun.compactedAt) return { ...state, begun: null };
  if (rereadTokens === null) return state;
  const inVain = rereadTokens > begun.tokens * HELPED;
  return { ...state, begun: null, ...(inVain && { inVain }) };
}
