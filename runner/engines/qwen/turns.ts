import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import { emit, patch } from '../draft.ts';
import type { EngineExit } from '../engine.ts';
import { isFatal } from '../failures.ts';
import { reportIgnored } from '../ignored.ts';
import { settleApprovals } from '../open-approvals.ts';
import { closeTools, endTool } from '../open-tools.ts';
import { completeBlock } from '../pieces.ts';
import { emitBegun, emitEnded } from '../turn-events.ts';
import { crashOf, failureOf, lostConversation } from './failures.ts';
import type { ResultLine } from './lines.ts';
import type { Draft } from './state.ts';
import { recordUsage } from './usage.ts';

/** Says that the engine works, once, and again when it names its model. */
export function announceReady(draft: Draft): void {
  const { launchId, engineSessionId, version, model, payer, credential } = draft.state;
  const facts = { engineSessionId, engineVersion: version, model, payer, credential };
  const announced = JSON.stringify(facts);
  if (announced === draft.state.announced) return;
  patch(draft, { announced });
  emit(draft, { type: 'engine/ready', launchId, ...facts });
}

/** The engine works on the oldest instruction that it has. */
export function beginTurn(draft: Draft): void {
  const [turnId, ...pending] = draft.state.pending;
  if (turnId === undefined || draft.state.open) return;
  const open = {
    turnId,
    startedAt: draft.at,
    acts: 0,
    interrupting: false,
    told: {},
    asking: true,
  };
  patch(draft, { pending, open });
  emitBegun(draft, turnId);
}

export function setAsking(draft: Draft, asking: boolean): void {
  const { open } = draft.state;
  if (open && open.asking !== asking) patch(draft, { open: { ...open, asking } });
}

/** The engine says that its turn is over. */
export function readResult(draft: Draft, result: ResultLine): void {
  completeBlock(draft);
  if (!draft.state.open) {
    if (!result.is_error) return;
    // It will not begin, and says why.
    const error = failureOf(result);
    draft.items.push({ kind: 'fatal', error });
    beginTurn(draft);
    setAsking(draft, false);
  }
  const { open } = draft.state;
  if (!open) return;
  closeAll(draft);
  const failed = result.is_error && !open.interrupting;
  const error = failed ? failureOf(result) : null;
  // What the provider refused nobody charges for; what was broken off brings no figures.
  const lost = result.is_error && open.asking && (error === null || error.code === 'unknown');
  const usage = recordUsage(draft, result.usage, lost);
  if (error && isFatal(error)) draft.items.push({ kind: 'fatal', error });
  const outcome: TurnOutcome = result.is_error ? (failed ? 'failed' : 'interrupted') : 'ok';
  emitEnded(draft, open, { outcome, error, usage });
  patch(draft, { open: null });
}

/** The process is gone: closes what was under way, and records what it used without telling. */
export function readExit(draft: Draft, exit: EngineExit): void {
  completeBlock(draft);
  closeAll(draft);
  const { open } = draft.state;
  const lost = draft.state.announced === null ? lostConversation(exit) : null;
  if (lost) draft.items.push({ kind: 'fatal', error: lost });
  if (open) {
    const usage = recordUsage(draft, undefined, open.asking);
    emitEnded(draft, open, { ...decideEnd(exit, open.interrupting), usage });
  }
  patch(draft, { open: null, ...(lost && { pending: [] }) });
}

/** What was under way is over: a call that nobody had allowed has not run. */
function closeAll(draft: Draft): void {
  for (const [toolId, { waiting }] of Object.entries(draft.state.tools))
    if (waiting) endTool(draft, toolId, { outcome: 'denied', exitCode: null });
  closeTools(draft, draft.state.open?.interrupting ? 'interrupted' : 'unknown');
  settleApprovals(draft);
  reportIgnored(draft);
}

function decideEnd(
  exit: EngineExit,
  interrupting: boolean,
): { outcome: TurnOutcome; error: EngineError | null } {
  if (exit.expected) return { outcome: interrupting ? 'interrupted' : 'killed', error: null };
  if (exit.signal !== null) return { outcome: 'killed', error: null };
  return { outcome: 'failed', error: crashOf(exit) };
}
