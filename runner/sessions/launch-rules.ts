import type { EngineError, EngineEvent } from '../../protocol/engine-event.ts';
import {
  emit,
  patch,
  type Draft,
  type ExitFacts,
  type LaunchRefusal,
  type Spawned,
} from './session-io.ts';
import {
  bootstrapSubmitted,
  endProcess,
  endSession,
  failLaunch,
  handNext,
  leaveUnknown,
  requeueHeld,
  settleStart,
  spawnWhenResumable,
} from './session-steps.ts';
import { beginUnkeptAnew, loseConversation } from './lost-conversation.ts';
import { isOneShot } from './session-state.ts';

export function prepared(draft: Draft, events: readonly EngineEvent[]): void {
  if (draft.state.phase.kind !== 'preparing') return;
  for (const event of events) emit(draft, event);
  const { afterwards } = draft.state;
  if (afterwards?.why === 'stop') {
    settleStart(draft, null);
    return endSession(draft);
  }
  // A runner that ends meanwhile prepares again when it is back: nothing was started.
  if (afterwards) return;
  spawnWhenResumable(draft);
}

/** The launch is refused before there is a process. */
export function refused(draft: Draft, refusal: LaunchRefusal): void {
  settleStart(draft, refusal);
  failLaunch(draft, refusal.state, refusal.error, []);
  patch(draft, { phase: { kind: 'over', how: 'failed' } });
  if (draft.state.afterwards?.why === 'stop') endSession(draft);
}

export function spawned(draft: Draft, { process, acts, guarded = false, fork }: Spawned): void {
  const { launchId, launch } = draft.state;
  settleStart(draft, null);
  emit(draft, { type: 'launch/staged', launchId, stage: 'spawned', process });
  patch(draft, { ...(acts && { acts }), guarded });
  if (fork) {
    // A copy that it begins as remembers everything; without one it is told.
    patch(draft, { story: fork.obstacle === null ? [] : (launch.from?.story ?? []) });
    emit(draft, noticeOfFork(fork.obstacle));
  }
  patch(draft, { phase: { kind: 'booting', stage: 'spawned', deadlineAt: null }, adopted: false });
}

const noticeOfFork = (obstacle: string | null): EngineEvent => ({
  type: 'notice/raised',
  level: 'info',
  code: obstacle === null ? 'fork_resumed' : 'fork_briefed',
  message:
    obstacle === null
      ? 'It goes on in a copy of the conversation that was forked, and remembers it.'
      : `Briefed, not resumed: the conversation that was forked could not be gone on with. ${obstacle}`,
});

/**
 * The handshake is written. Where an instruction waits it goes along, because an engine may say
 * nothing before its first message; the time to answer begins when there is something to answer.
 */
export function submitted(draft: Draft, lines: number): void {
  const { phase, afterwards } = draft.state;
  if (afterwards) return endProcess(draft, afterwards);
  if (phase.kind !== 'booting') return;
  const handed = isOneShot(draft.config) || handNext(draft);
  if (lines > 0 || handed) bootstrapSubmitted(draft);
}

/** The engine's first structured event: only now is it more than a process. */
export function becameReady(draft: Draft, engineSessionId: string): void {
  const { conversationBegun, conversationSince } = draft.state;
  patch(draft, { engineSessionId, everReady: true, bootFailures: 0 });
  if (!conversationBegun || conversationSince === undefined)
    patch(draft, { conversationSince: draft.nowMs });
  if (draft.state.phase.kind === 'booting')
    patch(draft, { phase: { kind: 'ready', idleSince: null } });
}

/**
 * The engine cannot work in this process. A launch that never worked is told as failed; one that
 * did keeps its conversation, and the turn's own error says why.
 */
export function fatal(draft: Draft, error: EngineError): void {
  const { phase, completedTurns } = draft.state;
  if (phase.kind === 'ending' || phase.kind === 'interrupting') return;
  const lost = error.code === 'conversation_lost';
  if (lost && beginUnkeptAnew(draft)) return;
  if (lost) loseConversation(draft, 'engine');
  if (completedTurns > 0 && !lost) {
    return endProcess(
      draft,
      isOneShot(draft.config) ? { why: 'turn' } : { why: 'park', reason: 'idle' },
    );
  }
  failLaunch(draft, 'provider_failed', error, []);
  endProcess(draft, { why: 'fail' });
}

/** No word from the engine within the time: it is ended, and what it last said is shown. */
export function stalled(draft: Draft, stderrTail: readonly string[]): void {
  const seconds = Math.round(draft.config.bootstrapMs / 1000);
  const message = `The engine started but said nothing for ${seconds} s, so it was ended. Its last words are below; run it by hand in the same directory to see what it waits for, then use Retry. One that needs longer gets it by \`start_minutes\` in limits.toml.`;
  // Its instruction was its input, and it may be at work on it in silence.
  if (isOneShot(draft.config)) leaveUnknown(draft);
  failLaunch(draft, 'bootstrap_stalled', { code: 'no_output', message }, stderrTail);
  endProcess(draft, { why: 'fail' });
}

/**
 * The engine ended, or could not be started, before it was ready: it accepted nothing, so the
 * instruction stays pending and is tried again, a bounded number of times.
 */
export function bootFailed(draft: Draft, exit: ExitFacts, message: string): void {
  const { state, config } = draft;
  requeueHeld(draft);
  if (state.afterwards?.why === 'stop') {
    settleStart(draft, null);
    return endSession(draft);
  }
  const delayMs = config.retryDelaysMs[state.bootFailures];
  if (delayMs !== undefined) {
    const phase = { kind: 'backoff' as const, untilMs: draft.nowMs + delayMs };
    return patch(draft, { phase, bootFailures: state.bootFailures + 1 });
  }
  settleStart(draft, null);
  failLaunch(draft, 'failed_to_start', { code: 'engine_crashed', message }, exit.stderrTail);
  patch(draft, { phase: { kind: 'over', how: 'failed' } });
}

/** The engine took the instruction and said why it cannot work: trying again would say the same. */
export function bootRefused(draft: Draft, error: EngineError, exit: ExitFacts): void {
  settleStart(draft, null);
  failLaunch(draft, 'provider_failed', error, exit.stderrTail);
  patch(draft, { phase: { kind: 'over', how: 'failed' } });
}
