import type { EngineError, Observed } from '../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../protocol/turn-outcome.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { type Draft, emit } from './draft.ts';

/** Says that the engine has an instruction and works on it. */
export function emitBegun(draft: Draft<unknown>, turnId: TurnId): void {
  emit(draft, { type: 'turn/delivered', turnId, delivery: 'confirmed', reason: null });
  emit(draft, { type: 'turn/started', turnId, origin: 'instruction' });
}

/** Says that the engine took an instruction into the turn under way. */
export function emitTaken(draft: Draft<unknown>, turnId: TurnId): void {
  const reason = 'It went into the turn under way.';
  emit(draft, { type: 'turn/delivered', turnId, delivery: 'confirmed', reason });
}

/** Ends the instructions that were taken into a turn, with it. */
export function emitMerged(
  draft: Draft<unknown>,
  merged: readonly TurnId[],
  outcome: TurnOutcome,
): void {
  for (const turnId of merged) {
    emit(draft, { type: 'turn/started', turnId, origin: 'instruction' });
    emit(draft, {
      type: 'turn/ended',
      turnId,
      outcome,
      error: null,
      durationMs: 0,
      // Its usage and acts are part of the turn that took it in and cannot be told apart.
      usage: 'unobservable',
      acts: 'unobservable',
    });
  }
}

/** Says how a turn came to its end; how long it took is counted from `startedAt` (Unix ms). */
export function emitEnded(
  draft: Draft<unknown>,
  turn: { turnId: TurnId; startedAt: number; acts: number },
  { outcome, error, usage }: { outcome: TurnOutcome; error: EngineError | null; usage: Observed },
): void {
  emit(draft, {
    type: 'turn/ended',
    turnId: turn.turnId,
    outcome,
    error,
    durationMs: Math.max(0, draft.at - turn.startedAt),
    usage,
    acts: turn.acts > 0 ? 'recorded' : 'none',
  });
}
