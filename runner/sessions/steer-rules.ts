import type { TurnId } from '../../protocol/ids.ts';
import { emit, patch, type Draft } from './session-io.ts';
import type { QueuedTurn } from './session-state.ts';
import { goOn, receiveTurn } from './session-steps.ts';

/**
 * Puts an instruction into the turn under way, past those that wait. Answers whether there was one
 * to put it into: otherwise it is an instruction like any other.
 */
export function steer(draft: Draft, { turnId, text, grant }: QueuedTurn): boolean {
  const { phase, openTurnId, steered } = draft.state;
  if (phase.kind !== 'ready' || openTurnId === null) return false;
  const turn = { turnId, text, ...(grant && { grant }) };
  receiveTurn(draft, turn);
  emit(draft, { type: 'turn/delivered', turnId, delivery: 'handed', reason: null });
  patch(draft, { steered: [...steered, turn], lastOutputAt: draft.nowMs });
  draft.effects.push({ kind: 'steer', turn });
  return true;
}

/** The turn was over by then, or would not take it: it is the next instruction. */
export function unsteered(draft: Draft, turnId: TurnId): void {
  const { steered, queue } = draft.state;
  const turn = steered.find((each) => each.turnId === turnId);
  if (!turn) return;
  emit(draft, { type: 'turn/delivered', turnId, delivery: 'received', reason: null });
  patch(draft, { steered: steered.filter((each) => each !== turn), queue: [turn, ...queue] });
  goOn(draft);
}
