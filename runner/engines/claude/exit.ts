import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { EngineExit } from '../engine.ts';
import { settleApprovals } from '../open-approvals.ts';
import { reportIgnored } from '../ignored.ts';
import { recordCutOff } from './result.ts';
import { endActs } from '../acts.ts';
import { patch } from '../draft.ts';
import type { Draft } from './state.ts';
import { closeTools } from './tools.ts';
import { endTurn } from './turns.ts';

/** The process is gone: closes what was under way, and records what it used without telling. */
export function readExit(draft: Draft, exit: EngineExit): void {
  if (draft.state.dead) return;
  const { open } = draft.state;
  closeTools(draft, open?.interrupting ? 'interrupted' : 'unknown');
  for (const acts of Object.values(draft.state.background)) endActs(draft, acts, 'unknown');
  settleApprovals(draft);
  reportIgnored(draft);
  const usage = recordCutOff(draft);
  if (open) endTurn(draft, { ...decideEnd(exit, open.interrupting), usage });
  patch(draft, { background: {}, streams: {}, dead: true });
}

function decideEnd(
  exit: EngineExit,
  interrupting: boolean,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (exit.expected) return { outcome: interrupting ? 'interrupted' : 'killed', error: null };
  if (exit.signal !== null) return { outcome: 'killed', error: null };
  const last = exit.stderrTail.at(-1);
  const said = last ? ` Its last words: ${last}` : ' It said nothing on its error output.';
  const status = exit.exitCode === null ? 'without a status' : `with status ${exit.exitCode}`;
  return {
    outcome: 'failed',
    error: {
      code: 'engine_crashed',
      message: `The engine ended in mid-turn ${status}; the turn’s work up to there stands.${said}`,
    },
  };
}
