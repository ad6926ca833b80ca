import type { EngineTurn } from './engine.ts';

/** An instruction that still waits for its conversation to open is written with its own words. */
export function recallWaiting<S extends { waiting: EngineTurn | null }>(
  state: S,
  turn: EngineTurn | null,
): S {
  return turn && state.waiting?.turnId === turn.turnId ? { ...state, waiting: turn } : state;
}
