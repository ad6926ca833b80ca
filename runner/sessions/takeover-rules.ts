import type { EngineEvent } from '../../protocol/engine-event.ts';
import { beginEnding, closeTerminal } from './endings.ts';
import { emit, patch, type Draft, type TerminalEnd } from './session-io.ts';
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
  process: { pid: number; argv: string[]; directory: string },
): void {
  const { phase, takeover } = draft.state;
  if (phase.kind !== 'driven' || !takeover) return;
  const { turnId, size } = takeover;
  const { openedAt } = takeover;
  const reopened = openedAt !== null;
  emit(draft, { type: 'terminal/opened', turnId, ...size, reopened, process });
  if (!reopened) emit(draft, { type: 'turn/started', turnId, origin: 'terminal' });
  patch(draft, { takeover: { ...takeover, openedAt: openedAt ?? draft.nowMs } });
  // A stop that came while it opened found no terminal to close.
  if (phase.closing !== null) draft.effects.push({ kind: 'closeTerminal' });
}

/** The terminal and everything in it is gone, or there never was one. */
export function terminalClosed(draft: Draft, end: TerminalEnd): void {
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
    emit(draft, {
      type: 'turn/ended',
      turnId,
      outcome: 'ok',
      error: null,
      durationMs: Math.max(0, draft.nowMs - openedAt),
      // What was spent there is known when the engine next says its totals, if it does.
      usage: draft.config.capabilities.usage === 'none' ? 'unobservable' : 'unsettled',
      acts: 'unobservable',
    });
    bringBack(draft, turnId);
  }
  emit(draft, closed);
  patch(draft, { takeover: null, drivenTurnId: openedAt === null ? null : turnId });
  if (reason === 'stopped') return endSession(draft);
  rest(draft);
}
