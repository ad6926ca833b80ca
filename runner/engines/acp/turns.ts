import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import { ownEntry } from '../../acts/own.ts';
import { patch } from '../draft.ts';
import type { EngineExit } from '../engine.ts';
import { isFatal } from '../failures.ts';
import { reportIgnored } from '../ignored.ts';
import type { RpcAnswer, RpcError } from '../json-rpc.ts';
import { settleApprovals } from '../open-approvals.ts';
import { closeTools } from '../open-tools.ts';
import { completeBlock } from '../pieces.ts';
import { emitBegun, emitEnded } from '../turn-events.ts';
import { failureOf } from './failures.ts';
import { promptAnswered } from './messages.ts';
import type { Draft } from './state.ts';
import { recordTurn } from './usage.ts';

/** The agent has read the instruction, or works on it already. */
export function beginTurn(draft: Draft): void {
  const { turn } = draft.state;
  if (!turn || turn.begun) return;
  patch(draft, { turn: { ...turn, begun: true, startedAt: draft.at } });
  const { turnId } = turn;
  emitBegun(draft, turnId);
}

/** The answer to an instruction is the turn's end. */
export function readTurnAnswer(draft: Draft, { about, result, error }: RpcAnswer): boolean {
  const { turn } = draft.state;
  if (turn?.turnId !== about) return true;
  const told = promptAnswered.safeParse(result);
  if (!error && !told.success) return false;
  beginTurn(draft);
  if (error) fail(draft, error);
  else if (told.success) {
    const { stopReason, usage } = told.data;
    endTurn(draft, decideEnd(stopReason, turn.interrupting), usage ?? null);
  }
  return true;
}

function fail(draft: Draft, error: RpcError): void {
  const { turn, traits } = draft.state;
  if (turn?.interrupting) return endTurn(draft, { outcome: 'interrupted', error: null });
  endTurn(draft, { outcome: 'failed', error: failureOf(traits, error) });
}

/** The instruction was taken back before the agent got it: no model has read a word of it. */
export function withdrawTurn(draft: Draft): void {
  beginTurn(draft);
  const { turn } = draft.state;
  if (turn) emitEnded(draft, turn, { outcome: 'interrupted', error: null, usage: 'none' });
  patch(draft, { turn: null, ended: [] });
}

type End = {
  outcome: TurnOutcome;
  error: EngineError | null;
  /** The agent says that it came to an end by itself: no call of its model was cut off. */
  whole?: true;
};

const STOPPED: Readonly<Record<string, string>> = {
  max_tokens:
    'The model’s answer reached its greatest length. What was done up to there stands; send an instruction to go on.',
  max_turn_requests:
    'The engine stopped at its own limit of model calls in one turn. What was done up to there stands; send an instruction to go on.',
  refusal:
    'The model refused to go on. Word the instruction in another way, or launch with another model.',
};

/**
 * By the protocol an agent that was interrupted answers `cancelled`. OpenCode answers `end_turn`
 * where it waited to ask its model again (1.18.33): that turn is not done.
 */
function decideEnd(stopReason: string, interrupting: boolean): End {
  if (stopReason === 'end_turn')
    return { outcome: interrupting ? 'interrupted' : 'ok', error: null, whole: true };
  if (stopReason === 'cancelled') return { outcome: 'interrupted', error: null };
  const message =
    ownEntry(STOPPED, stopReason) ?? `The engine ended the turn with “${stopReason}”.`;
  return { outcome: 'failed', error: { code: 'unknown', message } };
}

function endTurn(draft: Draft, end: End, told: Parameters<typeof recordTurn>[2] = null): void {
  const { turn } = draft.state;
  if (!turn) return;
  const { outcome, error } = end;
  completeBlock(draft);
  settleApprovals(draft);
  closeTools(draft, outcome === 'interrupted' ? 'interrupted' : 'unknown');
  reportIgnored(draft);
  const { toldMicroUsd } = draft.state;
  const usage = recordTurn(draft, decideOwed(end, turn.spoke, toldMicroUsd), told);
  if (error && isFatal(error)) draft.items.push({ kind: 'fatal', error });
  emitEnded(draft, turn, { outcome, error, usage });
  patch(draft, { turn: null, announced: {}, ended: [] });
}

/** Whether the model may have been used without a figure: it spoke, or was cut off, untold. */
function decideOwed({ outcome, error, whole }: End, spoke: boolean, told: number | null): boolean {
  if (whole) return told === null;
  if (outcome === 'interrupted') return true;
  return spoke || (error?.code === 'unknown' && told === null);
}

/** The process is gone, and with it what was under way. */
export function readExit(draft: Draft, exit: EngineExit): void {
  completeBlock(draft);
  settleApprovals(draft);
  closeTools(draft, draft.state.turn?.interrupting ? 'interrupted' : 'unknown');
  reportIgnored(draft);
  const { turn, unsettledTurns } = draft.state;
  if (!turn?.begun) return;
  const usage = recordTurn(draft, true);
  const { outcome, error } = decideExit(turn, exit);
  emitEnded(draft, turn, { outcome, error, usage });
  patch(draft, { turn: null, unsettledTurns: unsettledTurns + 1 });
}

function decideExit(turn: NonNullable<Draft['state']['turn']>, exit: EngineExit): End {
  if (turn.error) return { outcome: 'failed', error: turn.error };
  if (turn.interrupting) return { outcome: 'interrupted', error: null };
  if (exit.expected || exit.signal !== null) return { outcome: 'killed', error: null };
  const last = exit.stderrTail.at(-1);
  const said = last ? ` Its last words: ${last}` : ' It said nothing on its error output.';
  const message = `The engine ended in mid-turn with status ${exit.exitCode ?? 'unknown'}; the turn’s work up to there stands.${said}`;
  return { outcome: 'failed', error: { code: 'engine_crashed', message } };
}
