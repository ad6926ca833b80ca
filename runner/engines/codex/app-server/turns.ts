import type { EngineError, Observed } from '../../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../../protocol/turn-outcome.ts';
import { emit, patch } from '../../draft.ts';
import type { EngineExit } from '../../engine.ts';
import { isFatal } from '../../failures.ts';
import { engineTurnId } from '../../ids.ts';
import { reportIgnored } from '../../ignored.ts';
import { settleApprovals } from '../../open-approvals.ts';
import { closeTools } from '../../open-tools.ts';
import { beginTurn, holdTurn, readExit as readThreadExit } from '../turns.ts';
import { emitEnded, emitMerged } from '../../turn-events.ts';
import { failureOf } from './failures.ts';
import type { TurnError } from './messages.ts';
import type { Draft } from './state.ts';
import { keepCutTexts } from './texts.ts';
import { recordTurn } from './usage.ts';

/** The engine works: on our instruction, or by itself where none is under way. */
export function startTurn(draft: Draft, id: string, line: string): void {
  const { turn, launchId } = draft.state;
  patch(draft, { engineTurnId: id });
  if (turn) return beginTurn(draft);
  const turnId = engineTurnId(launchId, line);
  holdTurn(draft, turnId);
  const { turn: held } = draft.state;
  patch(draft, { turn: held && { ...held, begun: true } });
  emit(draft, { type: 'turn/started', turnId, origin: 'engine' });
}

/** The instruction was taken back before the engine got it: no model has read a word of it. */
export function withdrawTurn(draft: Draft): void {
  beginTurn(draft);
  const { turn } = draft.state;
  if (turn) emitEnded(draft, turn, { outcome: 'interrupted', error: null, usage: 'none' });
  patch(draft, { turn: null });
}

/** The engine refused an instruction before it was a turn. */
export function refuseTurn(draft: Draft, message: string): void {
  beginTurn(draft);
  endTurn(draft, 'failed', { message });
}

/** The engine says that its turn is over, and how. */
export function endTurn(draft: Draft, status: string, told: TurnError | null): void {
  const { turn, merged } = draft.state;
  if (!turn) return;
  const { outcome, error } = decideEnd(status, told);
  keepCutTexts(draft);
  closeTools(draft, outcome === 'interrupted' ? 'interrupted' : 'unknown');
  settleApprovals(draft);
  reportIgnored(draft);
  const usage = recordTurn(draft, decideOwed(draft, outcome, error));
  if (error && isFatal(error)) draft.items.push({ kind: 'fatal', error });
  emitEnded(draft, turn, { outcome, error, usage });
  patch(draft, { turn: null, engineTurnId: null, changes: {}, merged: [] });
  emitMerged(draft, merged, outcome);
}

function decideEnd(
  status: string,
  told: TurnError | null,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (status === 'completed') return { outcome: 'ok', error: null };
  if (status === 'interrupted') return { outcome: 'interrupted', error: null };
  const error = failureOf(told ?? { message: `The turn ended as “${status}”.` });
  return { outcome: 'failed', error };
}

/**
 * Whether an answer of the model may have been used whose figure never came: one that had begun,
 * or that was under way when the turn was cut off. A refusal of the provider uses nothing.
 */
function decideOwed(draft: Draft, outcome: TurnOutcome, error: EngineError | null): boolean {
  const { turn, told, toldWhenCut } = draft.state;
  if (turn?.spoke) return true;
  if (outcome === 'interrupted') return !toldWhenCut;
  if (outcome === 'ok') return told === null;
  return error === null || error.code === 'unknown' || error.code === 'overloaded';
}

/** The process is gone: what was under way ends as with the one-shot form. */
export function readExit(draft: Draft, exit: EngineExit): void {
  keepCutTexts(draft);
  settleApprovals(draft);
  const { turn } = draft.state;
  if (turn?.begun) {
    const refused = turn.usage === 'none' && !turn.spoke;
    const usage = refused ? usageOf(recordTurn(draft, false)) : 'unsettled';
    patch(draft, { turn: { ...turn, usage } });
  }
  readThreadExit(draft, exit, () => recordTurn(draft, true));
}

const usageOf = (observed: Observed) => (observed === 'recorded' ? 'recorded' : 'none');
