import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import { patch } from '../draft.ts';
import type { EngineExit } from '../engine.ts';
import { isFatal } from '../failures.ts';
import { reportIgnored } from '../ignored.ts';
import { failureOf, lostConversation } from './failures.ts';
import { completeBlock } from '../pieces.ts';
import { beginTurn } from './parse.ts';
import type { Draft, GeminiState } from './state.ts';
import { closeTools } from '../open-tools.ts';
import { emitEnded } from '../turn-events.ts';
import { recordUnsettled, recordUsage } from './usage.ts';

/** The process is gone, and the turn with it: says how, what it used and what came of its acts. */
export function readExit(draft: Draft, exit: EngineExit): void {
  completeBlock(draft);
  closeTools(draft, draft.state.interrupting ? 'interrupted' : 'unknown');
  reportIgnored(draft);
  const lost = draft.state.open ? null : lostConversation(exit);
  if (lost) {
    draft.items.push({ kind: 'fatal', error: lost });
    return patch(draft, { pending: null });
  }
  // It refused before it began: the instruction's failure. A crash is left to be tried again.
  if (!draft.state.open && exit.exitCode !== null && isRefusal(exit)) beginTurn(draft);
  const { open, result, ready } = draft.state;
  if (!open) return;
  const { outcome, error } = decideEnd(draft.state, exit);
  // A model that is not there has answered nothing; whatever else ends so broke off in an answer.
  const cut = outcome === 'failed' && exit.exitCode === 1 && error?.code !== 'model_not_found';
  const usage = result ? recordUsage(draft, result, cut) : ready ? recordUnsettled(draft) : 'none';
  if (error && isFatal(error)) draft.items.push({ kind: 'fatal', error });
  emitEnded(draft, open, { outcome, error, usage });
  patch(draft, { open: null, pending: null });
}

/** Exit codes with a meaning of gemini's own: nothing that another attempt would change. */
function isRefusal({ expected, exitCode }: EngineExit): boolean {
  return !expected && exitCode !== null && exitCode > 40 && exitCode < 60;
}

function decideEnd(
  { result, interrupting }: GeminiState,
  exit: EngineExit,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (result?.status === 'success') return { outcome: 'ok', error: null };
  if (interrupting) return { outcome: 'interrupted', error: null };
  if (exit.expected || exit.signal !== null) return { outcome: 'killed', error: null };
  if (result || exit.exitCode !== 0) return { outcome: 'failed', error: failureOf(exit, result) };
  // SIGTERM from anybody ends it with status 0 and without a word.
  return {
    outcome: 'killed',
    error: {
      code: 'engine_crashed',
      message:
        'The engine was ended from outside in mid-turn; the turn’s work up to there stands. Send the instruction again to go on.',
    },
  };
}
