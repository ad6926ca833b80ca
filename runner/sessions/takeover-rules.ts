import type { EngineEvent } from '../../protocol/engine-event.ts';
import { beginEnding, closeTerminal } from './endings.ts';
import { haltAfter, spend } from './budget-rules.ts';
import { halt } from './halt.ts';
import { tellCalls } from './meter-rules.ts';
import {
  emit,
  patch,
  type Draft,
  type Settled,
  type TerminalEnd,
  type TerminalOpened,
} from './session-io.ts';
import type { TakeoverWish } from './session-state.ts';
import { findLeaving, bringBack, endSession, goOn, refuse, rest } from './session-steps.ts';

/**
 * A person takes the engine's own terminal. Structured driving ends first, by protocol where a
 * turn is under way; the terminal opens when the process is proven gone.
 */
export function takeOver(draft: Draft, wish: TakeoverWish): void {
  const { phase, takeover, conversationBegun } = draft.state;
  if (!draft.config.capabilities.keys) return refuse(draft, 'keys_unsupported');
  const leaving = findLeaving(draft);
  if (leaving) return refuse(draft, leaving);
  // Another person takes over from the first: the same terminal, under a newer epoch.
  if (takeover) return;
  const starting = phase.kind === 'preparing' || phase.kind === 'spawning';
  if (starting || phase.kind === 'booting' || phase.kind === 'backoff' || !conversationBegun)
    return refuse(draft, 'takeover_too_early');
  patch(draft, { takeover: wish });
  if (phase.kind === 'resting') return goOn(draft);
  if (phase.kind === 'ready') return beginEnding(draft, { why: 'park', reason: 'taken_over' });
}

/** The person hands back: the terminal closes, and the next instruction resumes the conversation. */
export function release(draft: Draft): void {
  const { phase, takeover } = draft.state;
  if (!takeover) return refuse(draft, 'not_taken_over');
  if (phase.kind !== 'driven') {
    patch(draft, { takeover: null });
    return goOn(draft);
  }
  closeTerminal(draft, 'released');
}

export function terminalOpened(
  draft: Draft,
  { process, books, settled }: TerminalOpened & { settled: Settled },
): void {
  const { phase, takeover } = draft.state;
  if (phase.kind !== 'driven' || !takeover) return;
  const { turnId, size } = takeover;
  const { openedAt } = takeover;
  const reopened = openedAt !== null;
  const usage = reopened ? settle(draft, takeover, settled) : 'none';
  emit(draft, { type: 'terminal/opened', turnId, ...size, reopened, process });
  if (!reopened) emit(draft, { type: 'turn/started', turnId, origin: 'terminal' });
  patch(draft, { takeover: { ...takeover, openedAt: openedAt ?? draft.nowMs, books, usage } });
  // A stop that came while it opened found no terminal to close.
  if (phase.closing !== null) draft.effects.push({ kind: 'closeTerminal' });
}

/** Records what a terminal cost; says how much of the whole interval is known with it. */
function settle(
  draft: Draft,
  { turnId, usage: before = 'none' }: TakeoverWish,
  settled: Settled,
): 'recorded' | 'none' | 'unsettled' {
  if (!settled) return 'unsettled';
  const { entries, usage } = settled;
  if (entries.length > 0) {
    emit(draft, { type: 'usage/recorded', turnId, entries });
    spend(draft, entries);
  }
  if (before === 'unsettled' || usage === 'unsettled') return 'unsettled';
  return before === 'recorded' ? before : usage;
}

/** The terminal and everything in it is gone, or there never was one. */
export function terminalClosed(draft: Draft, end: TerminalEnd, settled: Settled): void {
  const { phase, takeover } = draft.state;
  if (phase.kind !== 'driven' || !takeover) return;
  const { turnId, openedAt } = takeover;
  const reason = end.failure === null ? (phase.closing ?? 'exited') : 'failed';
  const closed: EngineEvent = {
    type: 'terminal/closed',
    turnId,
    reason,
    exitCode: end.exitCode,
    message: end.failure,
  };
  if (reason === 'runner_restarted') {
    // The wish stays: the next runner opens it again.
    emit(draft, closed);
    return patch(draft, { phase: { kind: 'resting' } });
  }
  if (openedAt !== null) {
    const usage = settle(draft, takeover, settled);
    tellCalls(draft, turnId);
    emit(draft, {
      type: 'turn/ended',
      turnId,
      outcome: 'ok',
      error: null,
      durationMs: Math.max(0, draft.nowMs - openedAt),
      usage: draft.config.capabilities.usage === 'none' ? 'unobservable' : usage,
      acts: 'unobservable',
    });
    bringBack(draft, turnId);
  }
  emit(draft, closed);
  patch(draft, { takeover: null });
  if (reason === 'stopped') return endSession(draft);
  const spent = openedAt === null ? null : haltAfter(draft, turnId);
  if (spent) halt(draft, spent.reason, spent.message);
  rest(draft);
}
