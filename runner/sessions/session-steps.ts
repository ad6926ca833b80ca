import { beginTold, writeBrief } from '../../protocol/brief.ts';
import type { EngineError } from '../../protocol/engine-event.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { LaunchStage } from '../../protocol/launch.ts';
import { emit, patch, type Draft, type LaunchRefusal } from './session-io.ts';
import { isAtWork, isOneShot, type Ending, type QueuedTurn } from './session-state.ts';
import { capOf } from './spent.ts';

/** Enough to recognise a repetition; a session of more turns is beyond any resend. */
const KNOWN_TURNS = 200;
const MINUTE_MS = 60_000;

/**
 * Asks for a process. A one-shot engine gets its turn with it, recorded as handed over before
 * there is a process; without a turn there is nothing to start, and the session waits for one.
 */
export function spawnNow(draft: Draft): void {
  const { queue, spawns, forgets, conversationBegun } = draft.state;
  // Its conversation ended with the last process: this one begins anew, told the record.
  if (forgets && conversationBegun)
    patch(draft, { conversationBegun: false, engineSessionId: null });
  const oneShot = isOneShot(draft.config);
  const turn = oneShot ? (queue[0] ?? null) : null;
  if (oneShot && !turn) {
    settleStart(draft, null);
    emit(draft, { type: 'engine/parked', reason: 'idle' });
    return patch(draft, { phase: { kind: 'resting' } });
  }
  patch(draft, { phase: { kind: 'spawning' }, spawns: spawns + 1, bootError: null });
  if (turn) takeFirst(draft, turn);
  if (turn && !draft.config.capabilities.resume)
    patch(draft, { story: beginTold(draft.state.story, turn) });
  draft.effects.push({ kind: 'spawn', turn });
}

/**
 * Starts the engine again for a conversation that rests, as a launch with an id of its own. What
 * a one-shot engine has completed before still counts: its launches are the turns of one.
 */
export function resume(draft: Draft): void {
  const { launchId, spawns } = draft.state;
  const base = launchId.replace(/x\d+$/, '');
  patch(draft, {
    launchId: `${base}x${spawns + 1}` as typeof launchId,
    launchedAt: draft.nowMs,
    everReady: false,
    completedTurns: isOneShot(draft.config) ? draft.state.completedTurns : 0,
    bootFailures: 0,
  });
  spawnWhenResumable(draft);
}

/** Asks for a process, or waits with it where the engine would overwrite the conversation now. */
export function spawnWhenResumable(draft: Draft): void {
  const untilMs = resumableAt(draft);
  if (untilMs <= draft.nowMs) return spawnNow(draft);
  settleStart(draft, null);
  patch(draft, { phase: { kind: 'backoff', untilMs } });
  emit(draft, {
    type: 'notice/raised',
    level: 'info',
    code: 'resume_waits',
    message:
      'This engine would overwrite a conversation that is resumed in the minute in which it was begun. It is started again when the minute is over.',
  });
}

/** From when on the conversation can be resumed without losing it, in Unix ms. */
function resumableAt({ state, config }: Draft): number {
  const { conversationBegun, conversationSince, forgets } = state;
  if (!config.capabilities.overwritesInMinute || !conversationBegun || forgets) return 0;
  if (conversationSince === undefined) return 0;
  return (Math.floor(conversationSince / MINUTE_MS) + 1) * MINUTE_MS;
}

/** Says that the launch failed, and that what waited for it was not delivered. */
export function failLaunch(
  draft: Draft,
  state: 'failed_to_start' | 'bootstrap_stalled' | 'provider_failed',
  error: EngineError,
  stderrTail: readonly string[],
): void {
  const { launchId, launchedAt } = draft.state;
  const elapsedMs = Math.max(0, draft.nowMs - launchedAt);
  const tail = stderrTail.slice(-20);
  emit(draft, {
    type: 'launch/failed',
    launchId,
    state,
    stage: stageOf(draft),
    error,
    elapsedMs,
    stderrTail: tail,
  });
  dropWaiting(draft, error.message);
}

/** Gives every instruction that no engine has its honest end. */
export function dropWaiting(draft: Draft, reason: string): void {
  const { held, queue, knownTurns } = draft.state;
  const dropped = [...(held && !held.confirmed ? [held] : []), ...queue];
  for (const { turnId } of dropped)
    emit(draft, { type: 'turn/delivered', turnId, delivery: 'undelivered', reason });
  const ids = new Set(dropped.map((turn) => turn.turnId));
  patch(draft, {
    queue: [],
    held: held?.confirmed ? held : null,
    knownTurns: knownTurns.filter((turnId) => !ids.has(turnId)),
  });
}

/** What an instruction is told with of which nobody knows what became of it. */
export const UNKNOWN =
  'The engine was ended after this was handed to it and before it answered. It may have been carried out; look at the repository before sending it again.';

/** The engine may have it: it is shown, and not sent again by itself. */
export function leaveUnknown(draft: Draft): void {
  const { held, knownTurns } = draft.state;
  if (!held) return;
  const { turnId } = held;
  emit(draft, { type: 'turn/delivered', turnId, delivery: 'unknown', reason: UNKNOWN });
  patch(draft, { held: null, knownTurns: knownTurns.filter((each) => each !== turnId) });
}

/** The engine proved not to have it: it waits again, before the others. */
export function requeueHeld(draft: Draft): void {
  const { held, queue } = draft.state;
  if (!held || held.confirmed) return;
  patch(draft, { held: null, queue: [queuedOf(held), ...queue] });
}

export function settleStart(draft: Draft, refusal: LaunchRefusal | null): void {
  const { startCommandId } = draft.state;
  if (startCommandId === null) return;
  draft.effects.push({ kind: 'settleStart', commandId: startCommandId, refusal });
  patch(draft, { startCommandId: null });
}

export function endProcess(draft: Draft, ending: Ending, atOnce = false): void {
  patch(draft, { phase: { kind: 'ending', ending }, afterwards: null });
  draft.effects.push({ kind: 'terminate', ...(atOnce && { atOnce }) });
}

/** The session is stopped: nothing of it runs and nothing waits. */
export function endSession(draft: Draft): void {
  const reason = 'The session was stopped.';
  dropWaiting(draft, reason);
  emit(draft, { type: 'session/ended', end: 'stopped', reason });
  patch(draft, {
    phase: { kind: 'over', how: 'ended' },
    afterwards: null,
    openTurnId: null,
    held: null,
    steered: [],
    pending: [],
  });
}

/**
 * The machine demands more of the session by now than it is: what waits is not done, and its engine
 * ends. A turn that is under way ends as it would, and the session is judged again after it.
 */
export function keepBelowLimits(draft: Draft, message: string): void {
  if (isAtWork(draft.state)) return;
  dropWaiting(draft, message);
  if (draft.state.phase.kind === 'ready') endProcess(draft, { why: 'park', reason: 'idle' });
}

/** After the engine is gone: start it again when something waits for it. */
export function rest(draft: Draft): void {
  patch(draft, { phase: { kind: 'resting' } });
  goOn(draft);
}

function stageOf(draft: Draft): LaunchStage {
  const { phase, everReady } = draft.state;
  if (everReady) return 'bootstrap_confirmed';
  if (phase.kind === 'booting') return phase.stage;
  return 'queued';
}

export function queueTurn(draft: Draft, turn: QueuedTurn): void {
  receiveTurn(draft, turn);
  patch(draft, { queue: [...draft.state.queue, queuedOf(turn)] });
}

/** What of an instruction waits with it. */
const queuedOf = ({ turnId, text, grant, images }: QueuedTurn): QueuedTurn => ({
  turnId,
  text,
  ...(grant && { grant }),
  ...(images && { images }),
});

/** Says that an instruction is here, and remembers it, so that it is taken once. */
export function receiveTurn(draft: Draft, turn: QueuedTurn): void {
  const { knownTurns } = draft.state;
  emit(draft, { type: 'turn/delivered', turnId: turn.turnId, delivery: 'received', reason: null });
  patch(draft, { knownTurns: [...knownTurns, turn.turnId].slice(-KNOWN_TURNS) });
}

/** Asks for a turn's commits; one at a time, because two of them would undo each other. */
export function bringBack(draft: Draft, turnId: TurnId): void {
  if (draft.state.bringingBack !== null) return patch(draft, { bringingNext: turnId });
  patch(draft, { bringingBack: turnId });
  draft.effects.push({ kind: 'bringBack', turnId });
}

export function broughtBack(draft: Draft): void {
  const { bringingNext } = draft.state;
  patch(draft, { bringingBack: null, bringingNext: null });
  if (bringingNext) return bringBack(draft, bringingNext);
  goOn(draft);
}

/** Does what can be done next: hand over an instruction, wake the engine, or begin to idle. */
export function goOn(draft: Draft): void {
  const { phase, queue, halted, closing, bringingBack } = draft.state;
  if (closing) return;
  const oneShot = isOneShot(draft.config);
  // Only now is the engine's process proven gone: two on one conversation would lose turns.
  if (phase.kind === 'resting' && draft.state.takeover && !halted)
    return bringingBack ? undefined : openTerminal(draft);
  if (phase.kind === 'resting' && queue.length > 0 && !halted) {
    // The turn starts with the process: what the last one left must be brought back before.
    return oneShot && bringingBack ? undefined : resume(draft);
  }
  if (oneShot) return;
  if (phase.kind === 'booting') return void (handNext(draft) && bootstrapSubmitted(draft));
  if (phase.kind !== 'ready' || handNext(draft)) return;
  const busy = isAtWork(draft.state);
  if (busy === (phase.idleSince === null)) return;
  patch(draft, { phase: { kind: 'ready', idleSince: busy ? null : draft.nowMs } });
}

function openTerminal(draft: Draft): void {
  patch(draft, { phase: { kind: 'driven', closing: null } });
  draft.effects.push({ kind: 'openTerminal' });
}

/** Something was written that the engine has to answer: the time for it begins. */
export function bootstrapSubmitted(draft: Draft): void {
  const { launchId, phase } = draft.state;
  if (phase.kind === 'booting' && phase.stage === 'spawned') {
    emit(draft, { type: 'launch/staged', launchId, stage: 'bootstrap_submitted', process: null });
  }
  const deadlineAt = draft.nowMs + draft.config.bootstrapMs;
  patch(draft, { phase: { kind: 'booting', stage: 'bootstrap_submitted', deadlineAt } });
}

/** Hands the first waiting instruction to the engine, if it is free. One at a time. */
export function handNext(draft: Draft): boolean {
  const { queue, bringingBack, halted, phase } = draft.state;
  const [turn] = queue;
  if (!turn || isAtWork(draft.state) || bringingBack || halted) return false;
  takeFirst(draft, turn);
  if (phase.kind === 'ready') patch(draft, { phase: { kind: 'ready', idleSince: null } });
  const { story, forgets = false, conversationBegun } = draft.state;
  // What a process of an engine that forgets has been told, it remembers while it lives.
  const brief = forgets && conversationBegun ? null : writeBrief(story, turn, draft.state);
  if (brief) {
    const { turns, chars, text } = brief;
    emit(draft, { type: 'turn/briefed', turnId: turn.turnId, turns, chars });
    draft.effects.push({ kind: 'hand', turn: { ...turn, text } });
  } else draft.effects.push({ kind: 'hand', turn });
  return true;
}

function takeFirst(draft: Draft, turn: QueuedTurn): void {
  emit(draft, { type: 'turn/delivered', turnId: turn.turnId, delivery: 'handed', reason: null });
  const cap = capOf(draft.state, turn.grant);
  patch(draft, {
    queue: draft.state.queue.slice(1),
    held: { ...turn, confirmed: false, spokeSince: false, ...(cap && { cap }) },
    lastOutputAt: draft.nowMs,
  });
  if (draft.state.model?.through === 'gate') draft.effects.push({ kind: 'grantModel' });
}

export function refuse(draft: Draft, code: ErrorCode): void {
  draft.effects.push({ kind: 'refuse', code });
}

/** Why nothing more can be asked of a session, because it is over, leaves or halted; else null. */
export function findLeaving({ state }: Draft): ErrorCode | null {
  const { phase, halted } = state;
  if (halted) return 'session_halted';
  if (phase.kind === 'over') return phase.how === 'failed' ? 'session_not_ready' : 'session_ended';
  const ending = 'ending' in phase ? phase.ending : state.afterwards;
  if (ending?.why === 'stop') return 'session_ended';
  return ending?.why === 'fail' ? 'session_not_ready' : null;
}
