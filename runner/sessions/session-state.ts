import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import type { EngineError } from '../../protocol/engine-event.ts';
import type { CommandId, LaunchId, RequestId, SessionId, TurnId } from '../../protocol/ids.ts';
import { START_MS, type LaunchSpec } from '../../protocol/launch.ts';
import { silentUntil as silentUntilOf } from '../../protocol/silence.ts';
import type { Story } from '../../protocol/story.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { Payer } from '../../protocol/usage.ts';
import type { TerminalSize } from '../../protocol/takeover.ts';
import type { EngineCapabilities } from '../engines/engine.ts';
import type { TurnImage } from '../engines/images.ts';
import type { ActRules } from '../gate/act-policy.ts';
import type { HeldPush } from '../gate/held.ts';
import type { Watched } from '../witness/watch.ts';
import { type Measured, timeUpAt } from './measures.ts';
import type { ModelSeen } from './meter-rules.ts';
import type { PushesUnderWay } from './push-rules.ts';
import type { Spent } from './spent.ts';

/** `grant` is what the account's budgets allow it; absent where none counts it. */
export type QueuedTurn = {
  turnId: TurnId;
  text: string;
  grant?: TurnGrant | undefined;
  /** What it comes with, on this machine already. */
  images?: readonly TurnImage[] | undefined;
};

/** The instruction that the engine has. */
export type HeldTurn = QueuedTurn & {
  /** The engine echoed its id or began the turn. */
  confirmed: boolean;
  /** The engine said something, whatever it was, after the instruction was written. */
  spokeSince: boolean;
  /** How far the session may go in this turn by its grant, from its beginning on. */
  cap?: TurnGrant | undefined;
};

export type ParkReason =
  | 'idle'
  | 'spool_full'
  | 'runner_restarted'
  | 'no_output'
  | 'taken_over'
  | 'compacted'
  | 'restarted';

/** A person wants the engine's own terminal; its interval is the turn `turnId`. */
export type TakeoverWish = {
  turnId: TurnId;
  size: TerminalSize;
  /** When the terminal first opened; null until it did. */
  openedAt: number | null;
  /** What the engine's books said when the terminal opened, the last time. */
  books?: unknown;
  /** What is known of the cost of earlier terminals of the same interval. */
  usage?: 'recorded' | 'none' | 'unsettled';
};

export type Lost = 'seal' | 'engine';

/** A conversation so far, and by its number the process in which it began. */
export type Unkept = { story: Story; spawns: number };

/** Why we end an engine's process, and so what its exit means. */
export type Ending =
  | { why: 'stop' }
  | { why: 'park'; reason: ParkReason }
  /** `launch/failed` has been said. */
  | { why: 'fail' }
  /** `session/halted` has been said. */
  | { why: 'halt' }
  /** One-shot: the turn alone is ended, by a person's wish or because it could not go on. */
  | { why: 'turn' }
  /** The engine said nothing for longer than the launch allows. */
  | { why: 'silent' }
  /** The engine wrote more in one turn than is kept of one, or left more of it `open`. */
  | { why: 'flood'; of?: 'open' };

export type Phase =
  /** Limits, readiness, workspace, checkout. */
  | { kind: 'preparing' }
  /** Before another attempt to start the engine. */
  | { kind: 'backoff'; untilMs: number }
  | { kind: 'spawning' }
  /** The process exists; whether it is an engine at work is not known yet. */
  | { kind: 'booting'; stage: 'spawned' | 'bootstrap_submitted'; deadlineAt: number | null }
  | { kind: 'ready'; idleSince: number | null }
  /** The turn was asked to end by protocol; at `deadlineAt` the process is ended anyway. */
  | { kind: 'interrupting'; ending: Ending; deadlineAt: number }
  | { kind: 'ending'; ending: Ending }
  /** No process, to be resumed by an instruction. */
  | { kind: 'resting' }
  /** A person drives the engine's own terminal; `closing` is why it is being closed. */
  | {
      kind: 'driven';
      closing: 'released' | 'stopped' | 'runner_restarted' | null;
    }
  | { kind: 'over'; how: 'failed' | 'ended' };

export type PendingApproval = {
  request: ApprovalRequest;
  answer: ApprovalAnswer | null;
  /** A prompt outside the protocol: its answer is typed as it is. */
  typed?: true;
};

/** A push that waits; answered, it is being passed on. */
export type WaitingPush = HeldPush & { expiresAt: number; answer: ApprovalAnswer | null };

/** What the process waits for outside its protocol; the request where it may be answered. */
export type Asking = { at: string; requestId: RequestId | null };

/**
 * Everything that the runner knows of one session, as JSON: stored in the same transaction as
 * the events it led to. Nothing in it is a secret.
 */
export type SessionState = {
  sessionId: SessionId;
  launch: LaunchSpec;
  launchId: LaunchId;
  /** When this launch, or this attempt to resume, began. */
  launchedAt: number;
  /** The command to answer once the engine is started or refused. */
  startCommandId: CommandId | null;
  /** The highest fencing epoch seen; a command with a lower one is refused. */
  epoch: number;
  phase: Phase;
  /** What to do instead of going on, once preparing or spawning is done. */
  afterwards: Ending | null;
  /** The engine's own id of the conversation; null until it is known. */
  engineSessionId: string | null;
  /** When the engine first told that it has the conversation, in Unix ms. Absent: before that was kept. */
  conversationSince?: number;
  /** The conversation has a turn, so that it can be resumed and must not be begun anew. */
  conversationBegun: boolean;
  /** The engine of the present launch has been ready at least once. */
  everReady: boolean;
  /** Attempts to start in a row that failed before the engine was ready. */
  bootFailures: number;
  /** Why a turn ended badly although the engine was never ready: it accepted it, and refused it. */
  bootError: EngineError | null;
  /** How many processes there have been: names the spools and the launches that resume. */
  spawns: number;
  /** The process is an earlier runner's, and does not go on under this one as before. */
  adopted: boolean;
  /** A person drives, or is about to; absent in rows of earlier versions. */
  takeover?: TakeoverWish | null;
  queue: readonly QueuedTurn[];
  held: HeldTurn | null;
  /** Instructions that were put into a turn under way and are not over. */
  steered: readonly QueuedTurn[];
  openTurnId: TurnId | null;
  /** Turns that are queued, held or done: the same instruction again changes nothing. */
  knownTurns: readonly TurnId[];
  pending: readonly PendingApproval[];
  /** What acts are held to before they happen; absent in rows of earlier versions. */
  acts?: ActRules;
  /** Its process has the guard of an open session around it; absent in rows of earlier versions. */
  guarded?: boolean;
  /** What it waits for outside its protocol; absent in rows of earlier versions. */
  asking?: Asking | null;
  /** It was told that a runner could not take it up; absent where none failed to. */
  notTakenUp?: boolean;
  /** Requests that are over, so that a late answer is told `expired`. */
  pastRequests: readonly RequestId[];
  /** The turn whose commits are to be brought back before the next one. */
  bringingBack: TurnId | null;
  /** A turn that ended meanwhile: its commits are brought back after those, never beside them. */
  bringingNext: TurnId | null;
  /** What the next comparison of refs needs to know; absent in rows of earlier versions. */
  watched?: Watched;
  /** The turn that was asked to end because of the budget. */
  interruptAsked: TurnId | null;
  /** The limit beside dollars that it was asked for; null or absent where it was none of these. */
  interruptFor?: keyof Measured | null;
  /** Claims of pushes, and pushes of the gate that none is known for yet; absent in older rows. */
  pushes?: PushesUnderWay;
  /** Pushes that are kept for a person's answer; absent in rows of earlier versions. */
  heldPushes?: readonly WaitingPush[];
  /** When the engine last got something to do or said something, within a hundredth of its limit. */
  lastOutputAt: number;
  halted: boolean;
  /** What halted it, where a person can lift that; absent otherwise. */
  haltedBy?: 'breach';
  /** This runner is ending: nothing new begins. */
  closing: boolean;
  /** What a budget counts, in micro-USD: every known figure, and the known part of a turn without one. */
  spent: Spent;
  /** What its turns came to beside dollars, without the one under way; absent before the first. */
  measured?: Measured;
  /** Tokens of the turn under way beyond that, as far as the engine shows them. */
  estimateTokens?: number;
  /** When the turn under way began; null or absent while none is. */
  turnBeganAt?: number | null;
  /** The highest marks of its limits beside dollars that were told, in percent. */
  limitsTold?: Partial<Record<keyof Measured, number>>;
  /** Who pays for the engine's work, as it said itself; absent before it was ready. */
  payer?: Payer;
  /** The turn that came to all that it was granted; absent where none did. */
  grantReached?: TurnId;
  /** A model whose figures have no price, so that no limit in dollars holds; null while there is none. */
  unpricedModel: string | null;
  /** The highest of the marks of its budget that was told, in percent; absent before the first. */
  budgetTold?: number;
  /** What the turn under way comes to beyond that, in micro-USD, as far as the engine shows it. */
  estimateMicroUsd: number;
  /** What the model gate has seen; absent where no call goes, or went, through it. */
  model?: ModelSeen | null;
  /** Hosts that it was told it does not reach, as `name:port`. Absent: none. */
  unreached?: readonly string[];
  /** A completed turn has shown the records that the engine promises. */
  recordsProven: boolean;
  /** The first turn of a conversation begun by hand, where nobody knows its share of the total. */
  unmeasuredTurn?: TurnId;
  /** The engine told of a tool call; absent in rows of earlier versions, which never asked. */
  toolTold?: boolean;
  /** The first completed turn where it told of no tool call: until git has said that it did nothing. */
  actlessTurn?: TurnId | null;
  /** What the engine is told of turns that it does not remember; empty where it remembers all. */
  story: Story;
  /** What the conversation holds, until its engine has shown that it kept it. Absent: it has. */
  unkept?: Unkept | null;
  /** The engine has no way to take a conversation up; absent: it has, or does not say. */
  forgets?: boolean;
  /** The conversation was made short: the story is of this session's own turns. Absent: it was not. */
  begunAnew?: boolean;
  /** What took the conversation from the session: its seal, which is gone, or its engine's word. */
  lost?: Lost;
  /** The place of what the story tells was made anew. Absent: it was not. */
  placeAnew?: boolean;
  /** Completed turns of the present launch. */
  completedTurns: number;
};

/** Sizes of the output file of one process, in bytes, from the smallest. */
export type SpoolBounds = {
  /** The process ends between two turns, and the next one gets a new file. */
  parkBytes: number;
  /** The turn is asked to end. */
  turnBytes: number;
  /** The process is killed, and what is not read by then never is. */
  endBytes: number;
  /**
   * Of what the parser keeps of texts, calls and requests that the engine began and did not end, in
   * characters of JSON: each line that is read stores all of it again. The turn is asked to end.
   */
  keptChars: number;
};

export type SessionConfig = {
  capabilities: EngineCapabilities;
  spool: SpoolBounds;
  /** From the first line written to the first structured line read. */
  bootstrapMs: number;
  /** Idle time after which the engine's process is ended. */
  idleMs: number;
  /** How long an interrupt by protocol may take. */
  interruptMs: number;
  /** Pause before each further attempt to start; their number bounds the attempts. */
  retryDelaysMs: readonly number[];
};

/** Whether the engine takes one turn per process, which ends with it. */
export function isOneShot({ capabilities }: SessionConfig): boolean {
  return capabilities.turnEnd === 'exit';
}

const MIB = 1024 * 1024;

/** The bounds of real sessions: times, and the output of a process. */
export const SESSION_TIMINGS: Omit<SessionConfig, 'capabilities'> = {
  spool: {
    parkBytes: 64 * MIB,
    turnBytes: 512 * MIB,
    endBytes: 576 * MIB,
    keptChars: 8 * MIB,
  },
  bootstrapMs: START_MS,
  idleMs: 15 * 60_000,
  interruptMs: 4_000,
  retryDelaysMs: [1_000, 5_000],
};

/** When the session wants to be woken if nothing happens before: Unix ms, or null for never. */
export function nextWakeAt(
  state: SessionState,
  config: Pick<SessionConfig, 'idleMs'>,
): number | null {
  const waiting = (state.heldPushes ?? []).flatMap(({ answer, expiresAt }) =>
    answer === null ? [expiresAt] : [],
  );
  const phase = phaseWakeAt(state, config);
  return waiting.length === 0 ? phase : Math.min(phase ?? Infinity, ...waiting);
}

function phaseWakeAt(state: SessionState, config: Pick<SessionConfig, 'idleMs'>): number | null {
  const { phase } = state;
  switch (phase.kind) {
    case 'backoff':
      return state.closing ? null : phase.untilMs;
    case 'booting':
    case 'interrupting':
      return phase.deadlineAt;
    case 'ready':
      return phase.idleSince === null
        ? earlierOf(timeUpAt(state), earlierOf(silentUntil(state), nextExpiry(state)))
        : phase.idleSince + config.idleMs;
    case 'preparing':
    case 'spawning':
    case 'ending':
    case 'resting':
    case 'driven':
    case 'over':
      return null;
    default:
      return phase satisfies never;
  }
}

/**
 * When a request expires that nobody has answered, in Unix ms; null for an answered one, and for a
 * prompt outside the protocol, which has its own end: nothing is typed into it.
 */
export function expiryOf({ request, answer, typed }: PendingApproval): number | null {
  return answer === null && !typed ? request.expiresAt : null;
}

function nextExpiry({ pending }: SessionState): number | null {
  const times = pending.flatMap((held) => expiryOf(held) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

const earlierOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Whether the engine has something to do, as far as it is known. */
export function isAtWork({ openTurnId, held, steered }: SessionState): boolean {
  return openTurnId !== null || held !== null || steered.length > 0;
}

/** Whether a launch or a turn of its process is under way. */
export function isBusy(state: SessionState): boolean {
  return hasProcess(state.phase) && (state.phase.kind !== 'ready' || isAtWork(state));
}

/** When this session's engine is given up if it says nothing more: Unix ms, or null for never. */
export function silentUntil(state: SessionState): number | null {
  const { pending, asking, lastOutputAt, launch } = state;
  const blocked = asking?.requestId === null;
  return silentUntilOf({
    atWork: isAtWork(state),
    waitsForPerson: blocked || pending.some(({ answer }) => answer === null),
    heardAt: lastOutputAt,
    noOutputMs: launch.noOutputMs,
  });
}

/** Whether the process is being ended for good, not to be resumed. */
export function isLeaving(phase: Phase): boolean {
  if (phase.kind === 'driven') return phase.closing === 'stopped';
  if (phase.kind !== 'ending' && phase.kind !== 'interrupting') return false;
  return phase.ending.why === 'stop' || phase.ending.why === 'fail';
}

/** Whether an engine's process exists, or may exist, in this phase. */
export function hasProcess(phase: Phase): boolean {
  switch (phase.kind) {
    case 'spawning':
    case 'booting':
    case 'ready':
    case 'interrupting':
    case 'ending':
    case 'driven':
      return true;
    case 'preparing':
    case 'backoff':
    case 'resting':
    case 'over':
      return false;
    default:
      return phase satisfies never;
  }
}
