import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import { patch } from '../draft.ts';
import type { EngineExit } from '../engine.ts';
import { isFatal } from '../failures.ts';
import { reportIgnored } from '../ignored.ts';
import { parseRefusal } from './failures.ts';
import type { CodexState, Draft } from './state.ts';
import { closeTools } from '../open-tools.ts';
import { emitBegun, emitEnded } from '../turn-events.ts';
import { recordUnsettled } from './usage.ts';

/** The process was started with this instruction; nothing shows yet that the engine has it. */
export function holdTurn(draft: Draft, turnId: TurnId): void {
  patch(draft, {
    turn: {
      turnId,
      begun: false,
      startedAt: draft.at,
      interrupting: false,
      spoke: false,
      completed: false,
      usage: 'unsettled',
      acts: 0,
      error: null,
    },
  });
}

/** The engine works on the instruction that it was started with. */
export function beginTurn(draft: Draft): void {
  const { turn } = draft.state;
  if (!turn || turn.begun) return;
  patch(draft, { turn: { ...turn, begun: true, startedAt: draft.at } });
  const { turnId } = turn;
  emitBegun(draft, turnId);
}

/** The process is gone, and the turn with it. `recordLost`: what is known of a turn without its figure. */
export function readExit(
  draft: Draft,
  exit: EngineExit,
  recordLost: (draft: Draft) => void = recordUnsettled,
): void {
  closeTools(draft, draft.state.turn?.interrupting ? 'interrupted' : 'unknown');
  reportIgnored(draft);
  refuseUnbegun(draft, exit);
  const { turn, unsettledTurns } = draft.state;
  if (!turn?.begun) return;
  const { outcome, error } = decideEnd(turn, exit);
  if (turn.usage === 'unsettled') recordLost(draft);
  emitEnded(draft, turn, { outcome, error, usage: turn.usage });
  const open = turn.usage === 'unsettled' && !turn.completed;
  patch(draft, { turn: null, unsettledTurns: unsettledTurns + (open ? 1 : 0) });
}

/** A process that says why it will not begin is the turn's failure; a crash is tried again. */
function refuseUnbegun(draft: Draft, exit: EngineExit): void {
  const { turn } = draft.state;
  if (!turn || turn.begun || exit.expected || exit.signal !== null) return;
  const error = parseRefusal(exit.stderrTail);
  if (!error) return;
  // No turn of it began: the instruction waits for a conversation.
  if (error.code === 'conversation_lost') {
    draft.items.push({ kind: 'fatal', error });
    return patch(draft, { turn: null });
  }
  beginTurn(draft);
  const { turn: begun } = draft.state;
  patch(draft, { turn: begun && { ...begun, error, usage: 'none' } });
}

type Turn = NonNullable<CodexState['turn']>;

function decideEnd(
  { completed, interrupting, error }: Turn,
  exit: EngineExit,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (completed) return { outcome: 'ok', error: null };
  if (error && isFatal(error)) return { outcome: 'failed', error };
  if (interrupting) return { outcome: 'interrupted', error: null };
  if (exit.expected || exit.signal !== null) return { outcome: 'killed', error: null };
  if (error) return { outcome: 'failed', error };
  const last = exit.stderrTail.at(-1);
  const said = last ? ` Its last words: ${last}` : ' It said nothing on its error output.';
  return {
    outcome: 'failed',
    error: {
      code: 'engine_crashed',
      message: `The engine ended in mid-turn with status ${exit.exitCode ?? 'unknown'}; the turn’s work up to there stands.${said}`,
    },
  };
}
