import type { EngineError, Observed } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import { engineTurnId } from '../ids.ts';
import { emit, patch } from '../draft.ts';
import { emitMerged } from '../turn-events.ts';
import type { Draft, PendingTurn } from './state.ts';

/** The engine named an instruction of ours: it has it, whether or not it has begun. */
export function confirmTurn(draft: Draft, uuid: string): PendingTurn | null {
  const found = draft.state.pending.find((turn) => turn.uuid === uuid);
  if (!found) return null;
  if (!found.confirmed) {
    emit(draft, {
      type: 'turn/delivered',
      turnId: found.turnId,
      delivery: 'confirmed',
      reason: null,
    });
  }
  patch(draft, {
    correlates: true,
    pending: draft.state.pending.map((turn) =>
      turn.uuid === uuid ? { ...turn, confirmed: true } : turn,
    ),
  });
  return { ...found, confirmed: true };
}

/** The engine began an instruction of ours, by itself or inside the turn that is open. */
export function beginNamedTurn(draft: Draft, uuid: string): void {
  const turn = confirmTurn(draft, uuid);
  if (!turn) return;
  patch(draft, { pending: draft.state.pending.filter((other) => other.uuid !== uuid) });
  if (draft.state.open) patch(draft, { merged: [...draft.state.merged, turn.turnId] });
  else openTurn(draft, turn.turnId, uuid, 'instruction');
}

/**
 * The engine works on its main thread. With no turn open this is the oldest instruction, as long
 * as the engine does not name instructions; otherwise it is a turn of the engine's own.
 */
export function ensureTurn(draft: Draft, uuid: string | null, line: string): void {
  if (uuid && draft.state.pending.some((turn) => turn.uuid === uuid)) beginNamedTurn(draft, uuid);
  if (draft.state.open) {
    markBegun(draft);
    return;
  }
  const next = draft.state.pending[0];
  if (next && !draft.state.correlates) {
    beginGuessedTurn(draft, next);
    return;
  }
  patch(draft, { counter: draft.state.counter + 1 });
  openTurn(
    draft,
    engineTurnId(draft.state.launchId, line || String(draft.state.counter)),
    null,
    'engine',
  );
}

/** The open turn works. */
export function markBegun(draft: Draft): void {
  const { open } = draft.state;
  if (open && !open.begun) patch(draft, { open: { ...open, begun: true } });
}

/**
 * The engine is done with an instruction. One that it never began was in its conversation
 * already: it recognises a UUID and does not run the same instruction twice, nor write a result.
 */
export function completeTurn(draft: Draft, uuid: string): void {
  const { open } = draft.state;
  if (open?.uuid !== uuid || open.begun) return;
  const message =
    'The engine had taken this instruction before and did not run it again. What came of it the first time is in the transcript, as far as it is known.';
  endTurn(draft, { outcome: 'unknown', error: { code: 'unknown', message }, usage: 'none' });
}

/** Without names nothing proves which instruction this is; order is all that can be gone by. */
function beginGuessedTurn(draft: Draft, next: PendingTurn): void {
  emit(draft, { type: 'turn/delivered', turnId: next.turnId, delivery: 'confirmed', reason: null });
  patch(draft, { pending: draft.state.pending.slice(1) });
  openTurn(draft, next.turnId, next.uuid, 'instruction');
}

function openTurn(
  draft: Draft,
  turnId: TurnId,
  uuid: string | null,
  origin: 'instruction' | 'engine',
): void {
  patch(draft, {
    open: {
      turnId,
      uuid,
      startedAt: draft.at,
      interrupting: false,
      begun: false,
      acts: 0,
      error: null,
    },
  });
  emit(draft, { type: 'turn/started', turnId, origin });
}

/** The engine will not begin an instruction that it had taken: it ends without having worked. */
export function dropTurn(
  draft: Draft,
  uuid: string,
  state: 'cancelled' | 'discarded' | 'refused',
): void {
  const turn = confirmTurn(draft, uuid);
  if (!turn) return;
  patch(draft, { pending: draft.state.pending.filter((other) => other.uuid !== uuid) });
  const { turnId } = turn;
  emit(draft, { type: 'turn/started', turnId, origin: 'instruction' });
  const error: EngineError | null =
    state === 'cancelled'
      ? null
      : {
          code: 'unknown',
          message: `The engine ${state} the instruction without beginning it. Send it again.`,
        };
  const outcome = state === 'cancelled' ? 'interrupted' : 'failed';
  emit(draft, {
    type: 'turn/ended',
    turnId,
    outcome,
    error,
    durationMs: 0,
    usage: 'none',
    acts: 'none',
  });
}

export type TurnEnd = { outcome: TurnOutcome; error: EngineError | null; usage: Observed };

/** Ends the open turn, and with it every instruction that the engine took into it. */
export function endTurn(draft: Draft, end: TurnEnd): void {
  const { open, merged } = draft.state;
  if (!open) return;
  emit(draft, {
    type: 'turn/ended',
    turnId: open.turnId,
    outcome: end.outcome,
    error: end.error,
    durationMs: Math.max(0, draft.at - open.startedAt),
    usage: end.usage,
    acts: open.acts > 0 ? 'recorded' : 'none',
  });
  patch(draft, { open: null, merged: [] });
  emitMerged(draft, merged, end.outcome);
}
