import { beginAnew, whyAnew } from './anew.ts';
import { end, send } from './moves.ts';
import { type PilotState, turnOfStep } from './state.ts';

/**
 * Hands this instruction over, as the turn of this step; unless it is to `keep` its conversation, one
 * that has grown long is begun anew before. Stops where the turns are used up.
 */
export function instruct(
  state: PilotState,
  text: string,
  { keep = false }: { keep?: boolean } = {},
): PilotState {
  const { maxTurns } = state.spec.bounds;
  if (state.turns >= maxTurns)
    return end(state, 'stopped', `All ${maxTurns} turns that it was given are used.`);
  const turn = { turnId: turnOfStep(state.sessionId, state.step), text };
  const why = keep ? null : whyAnew(state);
  return why === null ? send(state, turn) : beginAnew(state, turn, why);
}
