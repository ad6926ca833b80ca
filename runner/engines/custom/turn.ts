import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import { emit, notice, patch } from '../draft.ts';
import type { EngineExit } from '../engine.ts';
import { completeBlock, readPiece } from '../pieces.ts';
import { emitBegun } from '../turn-events.ts';
import { describeExit } from './failures.ts';
import { shownLine } from './shown.ts';
import type { Draft } from './state.ts';

/** Most characters of one turn that are shown: what a person reads, not a log file. */
export const TURN_TEXT_MAX_CHARS = 1_000_000;

/**
 * The process was started with the instruction, so that it has it: a command that says nothing of
 * itself is at work from its start, and never started a second time for the same instruction.
 */
export function beginTurn(draft: Draft, turnId: TurnId): void {
  const { launchId, engineSessionId, version } = draft.state;
  emit(draft, {
    type: 'engine/ready',
    launchId,
    engineSessionId,
    engineVersion: version,
    model: null,
    payer: 'unknown',
    credential: null,
  });
  patch(draft, { open: { turnId, startedAt: draft.at } });
  emitBegun(draft, turnId);
}

/** A line of its output is a line of its answer: there is nothing else to read in it. */
export function readLine(draft: Draft, line: string): void {
  const text = `${shownLine(line)}\n`;
  const { open, shownChars, cutLines } = draft.state;
  if (shownChars + text.length > TURN_TEXT_MAX_CHARS)
    return patch(draft, { cutLines: cutLines + 1 });
  patch(draft, { shownChars: shownChars + text.length });
  readPiece(draft, { kind: 'answer', turnId: open?.turnId ?? null, text });
}

/** The exit is the turn's end, whatever was printed. */
export function readExit(draft: Draft, exit: EngineExit): void {
  completeBlock(draft);
  const { open, cutLines, shownChars, model } = draft.state;
  if (!open) return;
  if (cutLines > 0)
    notice(
      draft,
      'warning',
      'output_cut',
      `The command printed more than ${TURN_TEXT_MAX_CHARS} characters in this turn; ${cutLines} further lines are not shown and not kept. Let it write to a file what is longer.`,
    );
  const { outcome, error } = decideEnd(draft, exit);
  if (outcome === 'ok' && shownChars === 0)
    notice(draft, 'info', 'output_empty', 'The command ended without printing anything.');
  emit(draft, { type: 'usage/recorded', turnId: open.turnId, entries: [unmetered(model)] });
  emit(draft, {
    type: 'turn/ended',
    turnId: open.turnId,
    outcome,
    error,
    durationMs: Math.max(0, draft.at - open.startedAt),
    usage: 'unobservable',
    acts: 'unobservable',
  });
  patch(draft, { open: null });
}

function decideEnd(
  { state }: Draft,
  exit: EngineExit,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (state.interrupting) return { outcome: 'interrupted', error: null };
  if (exit.expected) return { outcome: 'killed', error: null };
  if (exit.exitCode === 0) return { outcome: 'ok', error: null };
  const outcome = exit.signal === null && exit.exitCode !== null ? 'failed' : 'killed';
  return { outcome, error: { code: 'engine_crashed', message: describeExit(exit) } };
}

/** A row that says that nothing is known: its absence would read as nothing spent. */
function unmetered(model: string) {
  return {
    model,
    provenance: 'unmetered' as const,
    payer: 'unknown' as const,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    microUsd: null,
  };
}
