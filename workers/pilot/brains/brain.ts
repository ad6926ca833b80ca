import type { BrainReply } from '../../../protocol/brain-answer.ts';
import type { OpenBrainKey } from '../../../protocol/brain-keys.ts';
import type { FeedEntry } from '../../../protocol/engine-event.ts';
import type { AskedCall } from '../../../protocol/call-bound.ts';
import type { BrainKeyId, SessionId } from '../../../protocol/ids.ts';
import type { ChecklistStep, Evidence, PilotSpec } from '../../../protocol/pilot.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';

/** What a brain is told. What the engine said is untrusted: it is fenced wherever it is passed on. */
export type BrainInput = {
  sessionId: SessionId;
  /** Names this decision: whatever is begun for it is begun under this step, and found again. */
  step: number;
  spec: PilotSpec;
  objective: string;
  view: SessionView;
  /** Decisions of this step that were not usable, and what was wrong with the last. */
  attempt: number;
  problem: string | null;
};

/** `model` null is the session's own. */
export type EngineQuestion = { system: string; prompt: string; model: string | null };

/** What a brain may use. */
export type BrainTools = {
  /**
   * Lets the runner run a check in the session's seal. The same `index` within a step is the same
   * run, however often it is asked for. Throws `PilothouseError`, among them `runner_offline` and
   * `check_not_approved`.
   */
  runCheck(check: ChecklistStep, index: number): Promise<Evidence>;
  /** The last entries of the session's record, oldest first. */
  readRecord(): Promise<readonly FeedEntry[]>;
  /** Opens a key of the account. Throws `PilothouseError`, as for one that was removed. */
  openKey(keyId: BrainKeyId): Promise<OpenBrainKey>;
  /**
   * Asks the session's own engine beside its conversation. The same step is the same question,
   * however often it is asked for, and has a share of the budgets, as a turn has. Throws
   * `PilothouseError`, among them `runner_offline`, `brain_engine_unable` and `model_over_budget`.
   */
  askEngine(question: EngineQuestion): Promise<BrainReply>;
  /**
   * Holds what a call of this step can come to at most, before it is made; it is over with
   * `recordUsage` or `releaseCall`. Throws `model_over_budget` and `model_unpriced`.
   */
  reserveCall(call: AskedCall): Promise<void>;
  /** Nothing was served: what the call held comes back. */
  releaseCall(): Promise<void>;
  /** Puts what a model used on the session's record. */
  recordUsage(usage: UsageEntry): Promise<void>;
  nowMs(): number;
};

/**
 * What a brain comes to. `decision` is checked against the schema by whoever asked; `witnessed` is
 * what the runner itself ran for it, and all that can prove a finish. `usage` is what a model took, as it is on the session's record.
 */
export type BrainOutcome = { usage?: readonly UsageEntry[] | undefined } & (
  | { kind: 'decided'; decision: unknown; witnessed: readonly Evidence[] }
  | { kind: 'undecided'; problem: string }
  /** It could not work. `retryAt` (Unix ms) null needs a person first; `away`: the machine did not answer. */
  | { kind: 'unavailable'; reason: string; retryAt: number | null; away?: true }
);

/** Decides the next step of a run. Asked again for a step after a crash, it may answer anew. */
export type Brain = (input: BrainInput, tools: BrainTools) => Promise<BrainOutcome>;
