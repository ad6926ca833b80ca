import type { EngineEvent } from '../../protocol/engine-event.ts';
import { resumeHeld } from './held-rules.ts';
import { emit, patch, type Draft, type Standing } from './session-io.ts';
import { isAtWork, isOneShot } from './session-state.ts';
import { endProcess, goOn, spawnNow } from './session-steps.ts';
import { terminalClosed } from './takeover-rules.ts';

/** What an earlier runner left behind is carried on, or clearly ended. */
export function adopt(draft: Draft, process: Standing): void {
  const { phase, bringingBack, afterwards } = draft.state;
  takenUp(draft);
  patch(draft, {
    // Of a process that goes on under this runner as before, nothing is less certain than before.
    adopted: process !== 'reachable',
    closing: false,
    lastOutputAt: draft.nowMs,
    afterwards: afterwards?.why === 'stop' ? afterwards : null,
  });
  if (bringingBack) draft.effects.push({ kind: 'bringBack', turnId: bringingBack });
  resumeHeld(draft);
  switch (phase.kind) {
    case 'preparing':
      return void draft.effects.push({ kind: 'prepare' });
    case 'resting':
      return goOn(draft);
    case 'backoff':
    case 'over':
      return;
    case 'spawning':
      // A persistent engine that may have been started was given nothing, and is gone by now.
      return isOneShot(draft.config) || draft.state.afterwards
        ? endRestarted(draft)
        : spawnNow(draft);
    case 'booting':
    case 'ready':
      return adoptEngine(draft, process);
    case 'interrupting':
    case 'ending':
      return endProcess(draft, phase.ending);
    case 'driven':
      return reopen(draft);
    default:
      return phase satisfies never;
  }
}

/** A runner before could not: that is over. A prompt that blocks it for itself is told anew. */
function takenUp(draft: Draft): void {
  const { notTakenUp, asking } = draft.state;
  if (!notTakenUp) return;
  emit(draft, { type: 'engine/unblocked' });
  patch(draft, { notTakenUp: false, ...(asking?.requestId === null && { asking: null }) });
}

const CUT_OFF: EngineEvent = {
  type: 'notice/raised',
  level: 'warning',
  code: 'engine_unreachable',
  message:
    'The runner was restarted, and the engine’s process cannot be written to any more, so it was ended in the middle of its work. Look at what was done; the next instruction resumes the conversation.',
};

function adoptEngine(draft: Draft, process: Standing): void {
  if (draft.state.afterwards) return endRestarted(draft);
  if (process === 'rebooted') emit(draft, rebooted(draft));
  // It ended by itself: what it left behind is ended, and what it said is read.
  if (process === 'gone' || process === 'rebooted')
    return void draft.effects.push({ kind: 'terminate' });
  // It has its whole input, so that nothing about it depends on who is there.
  if (isOneShot(draft.config)) return;
  if (process === 'reachable') return giveTime(draft);
  if (isAtWork(draft.state)) emit(draft, CUT_OFF);
  endRestarted(draft);
}

function rebooted({ state, config }: Draft): EngineEvent {
  const cut = isAtWork(state);
  const what = cut
    ? 'The machine was restarted while the engine worked, which ended it. Look at what was done. '
    : 'The machine was restarted, which ended the engine. ';
  const next =
    config.capabilities.resume && !state.forgets
      ? 'The next instruction resumes the conversation by its id.'
      : 'The next instruction tells the engine the record of what came before.';
  return {
    type: 'notice/raised',
    level: cut ? 'warning' : 'info',
    code: 'machine_restarted',
    message: what + next,
  };
}

/** It may have answered while nobody read: the time for its first word begins anew. */
function giveTime(draft: Draft): void {
  const { phase } = draft.state;
  if (phase.kind !== 'booting' || phase.deadlineAt === null) return;
  patch(draft, { phase: { ...phase, deadlineAt: draft.nowMs + draft.config.bootstrapMs } });
}

function endRestarted(draft: Draft): void {
  endProcess(draft, draft.state.afterwards ?? { why: 'park', reason: 'runner_restarted' });
}

/** A terminal does not outlive its runner: the same conversation opens in a new one. */
function reopen(draft: Draft): void {
  const { phase } = draft.state;
  if (phase.kind !== 'driven') return;
  if (phase.closing === 'stopped' || phase.closing === 'released')
    return terminalClosed(draft, { exitCode: null, failure: null }, null);
  patch(draft, { phase: { kind: 'driven', closing: null } });
  draft.effects.push({ kind: 'openTerminal' });
}
