import type {
  Evidence,
  PilotAsk,
  PilotDecision,
  PilotSpec,
  PilotStatus,
} from '../../../protocol/pilot.ts';
import type { ActorId, SessionId, TurnId } from '../../../protocol/ids.ts';
import type { ProviderFailure } from '../../../protocol/launch.ts';
import type { TurnOutcome } from '../../../protocol/turn-outcome.ts';
import type { RereadForecast } from '../../../protocol/reread-forecast.ts';
import type { SessionState } from '../../../protocol/session.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import type { TurnMark } from './loop-breaker.ts';

/** What the driver is to do now. Recorded before it is done; done again, it changes nothing more. */
export type Effect =
  /**
   * Ask the brain. `problem` is what was wrong with its last answer; `step` names the question while
   * the run moves on around it, and is absent where an older run recorded it.
   */
  | { do: 'brain'; attempt: number; problem: string | null; step?: number }
  | { do: 'instruct'; turnId: TurnId; text: string }
  /** Look at the session until it is another one, or until this time (Unix ms). */
  | { do: 'await'; until: number | null }
  /** Read what the turn used, did and changed. */
  | { do: 'judge'; turnId: TurnId }
  /** Launch the conversation again, which a provider had refused. */
  | { do: 'revive' }
  /** Forget the conversation after this turn, so that the next one begins it anew. */
  | { do: 'anew'; after: TurnId }
  /** End the turn that runs. */
  | { do: 'interrupt' };

/** Why a person is waited for. `proposal`: the next step is written and wants a yes. */
export type Hold = 'proposal' | 'question' | 'takeover' | 'gone' | 'halted';

export type PilotState = {
  sessionId: SessionId;
  spec: PilotSpec;
  objective: string;
  status: PilotStatus;
  /** Why it stands there, as a sentence. */
  reason: string;
  /** Events applied so far; names of effects and turns are derived from it. */
  step: number;
  /** Instructions in all, the first one included. */
  turns: number;
  /** The turn that is under way or not judged yet. */
  open: TurnId | null;
  /** Text of the instruction before this point. */
  instruction: string;
  /**
   * Decided, and refused while a budget, a pause or a takeover is waited for: sent as itself then,
   * since to decide it anew is paid anew. Null, or absent: there is none.
   */
  unsent?: { turnId: TurnId; text: string } | null;
  /** Bad decisions, or instructions that did not arrive, in a row. */
  attempt: number;
  /** The last turns, oldest first, as far as the loop breaker looks back. */
  marks: readonly TurnMark[];
  hold: Hold | null;
  /** What the session said of itself when it came in the way. Null, or absent: it did not. */
  heldFor?: string | null;
  /** The step that wants a person's yes. */
  proposal: string | null;
  /** What was waited for is a launch that the provider refused. */
  refused: boolean;
  /** What the conversation costs to go on with since this turn; null, or absent: it is not long. */
  long?: { after: TurnId; forecast: RereadForecast; compactedAt: number | null } | null;
  /**
   * The last beginning anew while nobody knows yet whether it helped: tokens that each turn read
   * again before it, and what the record told of an earlier one then. Null, or absent: none.
   */
  begun?: { tokens: number; compactedAt: number | null } | null;
  /** It was begun anew in vain once. */
  inVain?: boolean;
  /** Provider refusals in a row: each is waited out longer. */
  refusals: number;
  /**
   * The machine was away when this question was put to it, so often in a row: put again it is the
   * same question, which its engine may have answered by then. Null, or absent: it was not.
   */
  away?: { step: number; times: number } | null;
  /** Pause once what is being sent has been sent. */
  pauseNext: boolean;
  /** Stops at this time; moved on by the time in which a person was waited for. Unix ms. */
  deadlineAt: number;
  /** How far the record is judged. */
  position: number;
  since: number;
  effect: Effect | null;
};

/** What the driver sees of the session. */
export type Observation = {
  session: SessionState;
  sessionReason: string | null;
  failure: ProviderFailure | null;
  /** When the provider said that it takes requests again, Unix ms. */
  resetsAt: number | null;
  takenOver: boolean;
  /** How far the open turn got. */
  turn: 'none' | 'absent' | 'accepted' | 'started' | 'ended' | 'undelivered' | 'unknown';
  /** Some other turn runs or waits. */
  busy: boolean;
  /** The engine waits for a person's answer. */
  asks: boolean;
};

/** What a turn came to, from the record and the ledger. */
export type TurnFacts = {
  turnId: TurnId;
  outcome: TurnOutcome;
  failure: ProviderFailure | null;
  message: string | null;
  resetsAt: number | null;
  /** Names what the files became, as the engine told it; null when it told of none. */
  changes: string | null;
  /** What git has of the work by now; null when nothing was said of it, or it has nothing. */
  tip: string | null;
  acts: number;
  /** What the conversation costs to go on with; null, or absent: it is not long. */
  reread?: RereadForecast | null;
  /** Tokens that each of the last turns read again; null, or absent: too few tell it. */
  rereadTokens?: number | null;
  /** When the conversation was last begun anew, Unix ms; null, or absent: it never was. */
  compactedAt?: number | null;
  /** How far the record was read for it. */
  position: number;
};

export type PilotEvent = { at: number } & (
  | { type: 'began'; sessionId: SessionId; spec: PilotSpec; objective: string; turnId: TurnId }
  | { type: 'observed'; seen: Observation }
  | { type: 'judged'; facts: TurnFacts }
  /** `witnessed` is what the runner itself ran for this decision. */
  | {
      type: 'decided';
      decision: PilotDecision;
      witnessed: readonly Evidence[];
      usage?: readonly UsageEntry[];
    }
  /** The brain gave nothing that can be used. */
  | { type: 'undecided'; problem: string; usage?: readonly UsageEntry[] }
  /** The brain could not work: not its fault, and no attempt. `retryAt` null needs a person. */
  | {
      type: 'unavailable';
      reason: string;
      retryAt: number | null;
      /** The machine could not be reached, or did not answer. */
      away?: true;
      usage?: readonly UsageEntry[];
    }
  | { type: 'instructed'; turnId: TurnId }
  /** `againAt`: when it may be taken, Unix ms; left out or null where nobody knows. */
  | { type: 'refused'; turnId: TurnId; code: string; message: string; againAt?: number | null }
  /** `refused`: what was to be done could not be, why, and when it may be tried again, Unix ms. */
  | { type: 'done'; refused?: { code: string; message: string; againAt?: number | null } }
  /** The driver itself failed, more often than it tries again. */
  | { type: 'broke'; message: string }
  | { type: 'asked'; actorId: ActorId; ask: PilotAsk }
);

/** The step under which the question of a run is put: the same until it is answered or another one. */
export const questionOf = ({ effect, step }: Pick<PilotState, 'effect' | 'step'>): number =>
  effect?.do === 'brain' ? (effect.step ?? step) : step;

/** The turn that step number `step` of a session instructs: the same however often it is asked for. */
export function turnOfStep(sessionId: SessionId, step: number): TurnId {
  return `trn_p${sessionId.slice('ses_'.length)}${step.toString(32).padStart(4, '0')}` as TurnId;
}
