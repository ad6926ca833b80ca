import { expireApprovals, forgetApproval } from './approval-steps.ts';
import { watchBudget } from './budget-rules.ts';
import { beginEnding, endSilent, withReason } from './endings.ts';
import { expireHeld } from './held-rules.ts';
import { bootFailed, bootRefused, stalled } from './launch-rules.ts';
import { settlePrompt } from './prompt-rules.ts';
import { emit, patch, type Draft, type ExitFacts } from './session-io.ts';
import { type Ending, isOneShot, type ParkReason } from './session-state.ts';
import {
  bringBack,
  endProcess,
  endSession,
  failLaunch,
  leaveUnknown,
  refuse,
  requeueHeld,
  rest,
  settleStart,
  spawnNow,
  UNKNOWN,
} from './session-steps.ts';

export function stop(draft: Draft): void {
  const { phase } = draft.state;
  if (phase.kind === 'over' && phase.how === 'ended') return refuse(draft, 'session_ended');
  beginEnding(draft, { why: 'stop' });
}

/** The runner ends, and its engines with it; what waits is kept for its next start. */
export function shutdown(draft: Draft): void {
  const { phase } = draft.state;
  patch(draft, { closing: true });
  if (phase.kind === 'over' || phase.kind === 'resting' || phase.kind === 'backoff') return;
  if (phase.kind === 'ending' || phase.kind === 'interrupting') return;
  // A stop that was promised outlives this runner: its next start carries it out.
  if (draft.state.afterwards?.why === 'stop') return;
  beginEnding(draft, { why: 'park', reason: 'runner_restarted' });
}

/** A deadline has come, unless the session moved on and this is an old timer. */
export function wake(draft: Draft, stderrTail: readonly string[]): void {
  const { phase } = draft.state;
  const { nowMs, config } = draft;
  expireHeld(draft);
  switch (phase.kind) {
    case 'backoff':
      // A runner that ends starts nothing that nobody would end; its next start goes on with it.
      return nowMs >= phase.untilMs && !draft.state.closing ? spawnNow(draft) : undefined;
    case 'booting':
      return phase.deadlineAt !== null && nowMs >= phase.deadlineAt
        ? stalled(draft, stderrTail)
        : undefined;
    case 'interrupting':
      return nowMs >= phase.deadlineAt ? endProcess(draft, phase.ending) : undefined;
    case 'ready':
      expireApprovals(draft);
      watchBudget(draft);
      if (draft.state.phase.kind !== 'ready') return;
      if (phase.idleSince === null) return endSilent(draft);
      if (nowMs < phase.idleSince + config.idleMs) return;
      return endProcess(draft, { why: 'park', reason: 'idle' });
    case 'preparing':
    case 'spawning':
    case 'ending':
    case 'resting':
    case 'driven':
    case 'over':
      return;
    default:
      return phase satisfies never;
  }
}

/** The process is gone and its output read to the end: what that means depends on what was meant. */
export function exit(draft: Draft, facts: ExitFacts): void {
  const { phase, launchId } = draft.state;
  const ending = phase.kind === 'ending' || phase.kind === 'interrupting' ? phase.ending : null;
  const turnOver = isOneShot(draft.config) && draft.state.everReady;
  settlePrompt(draft);
  closeWhatIsOpen(draft);
  emit(draft, {
    type: 'engine/exited',
    launchId,
    exitCode: facts.exitCode,
    signal: facts.signal,
    expected: ending !== null || (turnOver && facts.signal === null),
    stderrTail: facts.stderrTail.slice(-20),
  });
  settleHeld(draft, ending, facts);
  settleSteered(draft);
  if (ending?.why === 'stop' || draft.state.afterwards?.why === 'stop') return endSession(draft);
  if (draft.state.halted) return patch(draft, { phase: { kind: 'resting' } });
  if (ending?.why === 'fail') return patch(draft, { phase: { kind: 'over', how: 'failed' } });
  if (ending?.why === 'park') return parked(draft, ending.reason);
  if (ending?.why === 'silent' && !turnOver) return parked(draft, 'no_output');
  if (ending?.why === 'flood' && !turnOver) return parked(draft, 'spool_full');
  if (draft.state.bootError) return bootRefused(draft, draft.state.bootError, facts);
  if (turnOver || ending?.why === 'turn') return rest(draft);
  // One-shot, what it was started for may have been carried out: there is nothing to try again.
  if (isOneShot(draft.config) && !draft.state.everReady && draft.state.queue.length === 0)
    return parked(draft, 'runner_restarted');
  if (!draft.state.everReady) return bootFailed(draft, facts, crashSentence(facts));
  parked(draft, draft.state.adopted ? 'runner_restarted' : 'idle');
}

function parked(draft: Draft, reason: ParkReason): void {
  const { everReady, adopted, closing, queue } = draft.state;
  if (everReady || reason === 'taken_over') {
    emit(draft, { type: 'engine/parked', reason });
    return rest(draft);
  }
  // Ended by us while it started. With an instruction waiting it is tried again: now, or, where this
  // runner ends, by the next one.
  if (!adopted && queue.length > 0) return rest(draft);
  const message = adopted || closing ? RESTARTED : CUT_OFF;
  settleStart(draft, null);
  failLaunch(draft, 'failed_to_start', { code: 'unknown', message }, []);
  patch(draft, { phase: { kind: 'over', how: 'failed' } });
}

/** An engine that left something open without a word about it: said here, so that nothing hangs. */
function closeWhatIsOpen(draft: Draft): void {
  for (const { request } of draft.state.pending) {
    emit(draft, {
      type: 'approval/resolved',
      requestId: request.requestId,
      resolution: 'withdrawn',
    });
    forgetApproval(draft, request.requestId);
  }
  const { openTurnId, held } = draft.state;
  if (openTurnId === null) return;
  const ended = withReason(draft, {
    type: 'turn/ended',
    turnId: openTurnId,
    outcome: 'unknown',
    error: null,
    durationMs: 0,
    usage: 'unsettled',
    acts: 'unsettled',
  });
  emit(draft, ended);
  patch(draft, {
    openTurnId: null,
    held: held?.turnId === openTurnId ? null : held,
    steered: draft.state.steered.filter(({ turnId }) => turnId !== openTurnId),
  });
  bringBack(draft, openTurnId);
}

/**
 * An instruction that was written and whose turn never began. An engine that this runner saw end by
 * itself and without a word since did not have it, and no engine of many turns begins one before its
 * first word. Whatever else ended it, we or a signal from elsewhere, may have ended it at work in
 * silence: nobody can tell, and it is not sent again.
 */
function settleHeld(draft: Draft, ending: Ending | null, { signal }: ExitFacts): void {
  const { held, adopted, everReady } = draft.state;
  if (!held) return;
  const cut = ending !== null || signal !== null;
  const silent = cut ? !everReady && !isOneShot(draft.config) : !everReady || !held.spokeSince;
  if (held.confirmed || adopted || !silent) return leaveUnknown(draft);
  requeueHeld(draft);
}

/** Instructions that went into a turn whose engine is gone: nobody can tell what became of them. */
function settleSteered(draft: Draft): void {
  for (const { turnId } of draft.state.steered)
    emit(draft, { type: 'turn/delivered', turnId, delivery: 'unknown', reason: UNKNOWN });
  const ids = new Set(draft.state.steered.map(({ turnId }) => turnId));
  const knownTurns = draft.state.knownTurns.filter((turnId) => !ids.has(turnId));
  patch(draft, { steered: [], knownTurns });
}

const RESTARTED =
  'The runner was restarted while the engine was starting. Use Retry to launch it again.';
const CUT_OFF =
  'The engine was ended before it said anything. Look at what it may have done, then use Retry to launch it again.';

function crashSentence(facts: ExitFacts): string {
  const how = facts.signal
    ? `was ended by ${facts.signal}`
    : `exited with ${facts.exitCode ?? 'an unknown code'}`;
  return `The engine ${how} before it was ready, several times in a row. Its last words are below; run it by hand in the same directory to see why, then use Retry.`;
}
