import {
  describeBegunAnew,
  describeReread,
  savesBegunAnew,
} from '../../../protocol/reread-forecast.ts';
import { send, think } from './moves.ts';
import type { PilotState } from './state.ts';

/** Turns that still read more than this part of what they did were long by themselves. */
const HELPED = 0.5;

/**
 * Why the conversation is begun anew before the next instruction, with the figures; null where it
 * is kept: nobody asked for it, it is not long, too few turns are left, or it did not help before.
 */
export function whyAnew({ spec, long, anewAt, turns }: PilotState): string | null {
  if (!spec.beginsAnew || !long) return null;
  const { forecast } = long;
  if (anewAt && forecast.cacheReadTokens > anewAt * HELPED) return null;
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
  return {
    ...state,
    hold: null,
    proposal: null,
    unsent,
    status: 'instructing',
    reason: `${why} It is begun anew.`,
    effect: { do: 'anew', after: state.long.after },
  };
}

/** It was begun anew, or could not be: the instruction is handed over either way. */
export function goOnAnew(state: PilotState, refused: boolean): PilotState {
  const anewAt = refused ? (state.anewAt ?? null) : (state.long?.forecast.cacheReadTokens ?? null);
  const next = { ...state, long: null, anewAt };
  // Another objective was given meanwhile.
  return next.unsent ? send(next, next.unsent) : think(next);
}
