import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import type { EngineError, EngineEvent } from '../../protocol/engine-event.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { CommandId, LaunchId, RequestId, SessionId, TurnId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Look } from '../acts/sight.ts';
import type { Asked } from '../engines/prompts.ts';
import type { Settlement } from '../engines/terminal-books.ts';
import type { ActRules } from '../gate/act-policy.ts';
import type { GatePush } from '../gate/gate-session.ts';
import type { HeldPush } from '../gate/held.ts';
import type { PushOutcome } from '../gate/receive.ts';
import type { WitnessReport } from '../witness/join.ts';
import type { Story } from '../../protocol/story.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import { followWatched } from '../witness/watch.ts';
import type { JournalEntry } from '../model-gate/journal.ts';
import type { Routed } from './meter-rules.ts';
import type { QueuedTurn, SessionConfig, SessionState, TakeoverWish } from './session-state.ts';

export type StartInput = {
  kind: 'start';
  sessionId: SessionId;
  launch: LaunchSpec;
  launchId: LaunchId;
  engineSessionId: string | null;
  firstTurn: QueuedTurn | null;
  commandId: CommandId;
  epoch: number;
  /** What was done so far, as the cloud has it; absent where it said nothing of it. */
  story?: Story | undefined;
};

/** A process that was started, as it may be told: names of its environment, never values. */
export type Spawned = Extract<SessionInput, { kind: 'spawned' }>;
export type SpawnedProcess = {
  pid: number;
  argv: string[];
  directory: string;
  environment: string[];
  resumed?: string[];
};

export type LaunchRefusal = {
  state: 'failed_to_start' | 'provider_failed';
  code: ErrorCode;
  error: EngineError;
};

export type ExitFacts = {
  exitCode: number | null;
  signal: string | null;
  stderrTail: readonly string[];
};

/** How a person's terminal ended; `failure` says why there is none, and what to do. */
export type TerminalEnd = { exitCode: number | null; failure: string | null };

export type TerminalOpened = {
  process: { pid: number; argv: string[]; directory: string };
  books: unknown;
};

/** What a terminal has cost, by the engine's own books; null where it keeps none. */
export type Settled = Pick<Settlement<unknown>, 'entries' | 'usage'> | null;

/** What can happen to a session. */
export type SessionInput =
  /** The checkout is there; `events` tell how. */
  | { kind: 'prepared'; events: readonly EngineEvent[] }
  /** Nothing was started, and will not be. */
  | { kind: 'refused'; refusal: LaunchRefusal }
  /** Nothing could be started this time. */
  | { kind: 'spawnFailed'; message: string }
  /** `acts`: what its acts are held to before they happen; `guarded`: its guard is around it. */
  | {
      kind: 'spawned';
      process: SpawnedProcess;
      acts?: ActRules;
      guarded?: boolean;
      /** It begins as a fork: in a copy of that conversation, or told of it, and why. */
      fork?: { obstacle: string | null };
    }
  /** The engine's handshake is written; `lines` is how many there were. */
  | { kind: 'submitted'; lines: number }
  /** The process that is about to start calls its model this way. */
  | { kind: 'routed'; route: Routed | null }
  /** The model gate wrote down calls. */
  | { kind: 'called'; entries: readonly JournalEntry[]; offset: number }
  /** It is kept to its model, and did not reach these. */
  | { kind: 'unreached'; hosts: readonly string[] }
  /** The machine demands more of the session by now than it is; `message` says what to do. */
  | { kind: 'belowLimits'; message: string }
  /** The engine was asked beside its conversation, for a decision of the Pilot. */
  | { kind: 'brainAnswered'; step: number; entries: readonly UsageEntry[] }
  /** What was granted to that question binds nothing any more. */
  | { kind: 'questionOver' }
  | { kind: 'event'; event: EngineEvent }
  /** The turn under way comes to so much beyond what is recorded. */
  | { kind: 'estimate'; microUsd: number; tokens?: number }
  | { kind: 'fatal'; error: EngineError }
  /** Its process ended its turn at the limit that it began with. */
  | { kind: 'capped' }
  /** The engine's conversation ends with its process. */
  | { kind: 'forgets' }
  /** The engine did not take an instruction into its turn. */
  | { kind: 'unsteered'; turnId: TurnId }
  /** The engine wrote something, whatever it means. */
  | { kind: 'spoke' }
  /** The output file of the process has this size now. */
  | { kind: 'spoolGrew'; bytes: number }
  /** What its parser keeps had so many characters when it was stored last. */
  | { kind: 'keptGrew'; chars: number }
  /** The process is gone, its output read to the end, and what that means has been said. */
  | { kind: 'exited'; exit: ExitFacts }
  /** The gate judged a push, passed it on, and was answered. */
  | { kind: 'pushed'; push: GatePush }
  /** What a person allowed of a push was passed on, or could not be. */
  | { kind: 'pushSettled'; requestId: RequestId; outcomes: readonly PushOutcome[] }
  /** The checkout is gone, and what was kept beside it; with a seal the conversation as well. */
  | { kind: 'checkoutGone'; sealed: boolean }
  /** `steer`: into the turn under way, past those that wait. */
  | { kind: 'instruct'; turn: QueuedTurn; steer?: boolean }
  | { kind: 'answer'; requestId: RequestId; answer: ApprovalAnswer }
  /** What the process was seen to wait for outside its protocol. */
  | { kind: 'prompted'; asked: Asked | null }
  | { kind: 'interrupt' }
  | { kind: 'stop' }
  | { kind: 'restart' }
  | { kind: 'takeOver'; wish: TakeoverWish }
  | { kind: 'release' }
  /** A person has answered for the breach that halted it. */
  | { kind: 'resume' }
  /** The conversation is to be begun anew, told this. */
  | { kind: 'compact'; story: Story }
  /** `books` are the engine's at this moment; `settled` is what an earlier terminal has cost. */
  | ({ kind: 'terminalOpened'; settled: Settled } & TerminalOpened)
  | { kind: 'terminalClosed'; end: TerminalEnd; settled: Settled }
  /** This runner ends. */
  | { kind: 'shutdown' }
  | { kind: 'wake'; stderrTail: readonly string[] }
  /** The commits of a turn are where the person has them, as `events` tell. */
  | { kind: 'returned'; events: readonly EngineEvent[] }
  /** And the refs were compared: the turn is over for good. Null where none could be. */
  | {
      kind: 'broughtBack';
      events: readonly EngineEvent[];
      turnId?: TurnId;
      report?: WitnessReport | null;
    }
  /** This runner begins, and found the session in its database. */
  | { kind: 'adopt'; process: Standing }
  /** What the engine said while nobody read is read. */
  | { kind: 'caughtUp' };

/**
 * How the process of an earlier runner stands to this one. `reachable`: it can be read and written
 * to as before. `unreachable`: it runs, and nothing can be handed to it any more. `rebooted`: it is
 * gone with everything that ran on the machine.
 */
export type Standing = 'reachable' | 'unreachable' | 'gone' | 'rebooted';

/** What the shell does. Everything up to `interrupt` belongs into the transaction. */
export type SessionEffect =
  | { kind: 'emit'; event: EngineEvent }
  /** The command that led here is refused. */
  | { kind: 'refuse'; code: ErrorCode; detail?: string }
  | { kind: 'settleStart'; commandId: CommandId; refusal: LaunchRefusal | null }
  /** Encode and write; recorded durably before. */
  | { kind: 'hand'; turn: QueuedTurn }
  /** The same, into the turn under way. */
  | { kind: 'steer'; turn: QueuedTurn }
  | { kind: 'answer'; request: ApprovalRequest; answer: ApprovalAnswer }
  /** Write these words as a line, as they are. */
  | { kind: 'type'; line: string }
  | { kind: 'interrupt' }
  | { kind: 'prepare' }
  /** Start a process: for `turn` where the engine takes one turn per process. */
  | { kind: 'spawn'; turn: QueuedTurn | null }
  /** `atOnce`: killed without being asked, and read no further, because every second of it costs. */
  | { kind: 'terminate'; atOnce?: boolean }
  /** Open the engine's own terminal for the person who takes over. */
  | { kind: 'openTerminal' }
  | { kind: 'closeTerminal' }
  | { kind: 'bringBack'; turnId: TurnId }
  /** Tell the model gate how far the calls may go from here on. */
  | { kind: 'grantModel' }
  /** Pass on what a person allowed of a push. */
  | { kind: 'settlePush'; held: HeldPush }
  /** Delete what is kept of pushes for other requests than these. */
  | { kind: 'keepPushes'; requestIds: readonly RequestId[] };

/** A decision under way: the rules replace its state and add to its effects. */
export type Draft = {
  state: SessionState;
  readonly effects: SessionEffect[];
  readonly nowMs: number;
  readonly config: SessionConfig;
  readonly look: Look;
};

export function patch(draft: Draft, change: Partial<SessionState>): void {
  draft.state = { ...draft.state, ...change };
}

export function emit(draft: Draft, event: EngineEvent): void {
  const watched = followWatched(draft.state.watched, event, draft.nowMs);
  if (watched && watched !== draft.state.watched) patch(draft, { watched });
  draft.effects.push({ kind: 'emit', event });
}
