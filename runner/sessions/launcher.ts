import type { StandingFault } from '../limits/standing.ts';
import { realpathSync } from 'node:fs';
import type { Checkpoint } from '../../protocol/checkpoints.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import { PilothouseError, type ErrorCode } from '../../protocol/errors.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { MachineKept } from '../../protocol/retention.ts';
import type { CheckoutReview, PatchQuery, ReviewedPatch } from '../../protocol/review.ts';
import type { ActRules } from '../gate/act-policy.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import type { Engine, FoundEngine, Readiness, SpawnPlan } from '../engines/engine.ts';
import { messageOf } from '../failure.ts';
import type { JournalEntry } from '../model-gate/journal.ts';
import type { EngineForm } from '../model-gate/lead.ts';
import type { Routed } from './meter-rules.ts';
import type { PushKeeper } from '../gate/gate-session.ts';
import type { GuardKeeper } from '../seal/guards.ts';
import type { HeldPush } from '../gate/held.ts';
import type { PushOutcome } from '../gate/receive.ts';
import type { PullRequestAsk } from '../broker/ask.ts';
import type { PullRequest } from '../broker/open.ts';
import type { Checkout, OwnCheckout } from '../guard/checkout.ts';
import type { Patch } from '../guard/checkpoints.ts';
import type { Release } from '../guard/release.ts';
import type { Secret } from '../guard/secrets.ts';
import type { ShellResult } from '../guard/shell.ts';
import type { HandProcess } from '../process/by-hand.ts';
import type { Window } from '../witness/evidence.ts';
import type { RefsSeen } from '../witness/witness.ts';
import type { LaunchRefusal } from './session-io.ts';

/** What a session needs of the machine. The daemon gives the real ones, tests their own. */
export type LaunchPorts = {
  /**
   * The engine of a launch: of its id, in the form that works in its approvals mode, or, where it
   * brings one along, the one that it describes.
   */
  findEngine(launch: Pick<LaunchSpec, 'engineId' | 'approvals' | 'preset'>): Engine | null;
  /** How the machine stands with an engine that gets this environment; the machine's, unless said. */
  probe(engine: Engine, env?: NodeJS.ProcessEnv): Promise<Readiness>;
  /** The processes of an engine that run on this machine, whoever started them. */
  listRunning(engine: Engine): readonly HandProcess[];
  /** The machine's own limits, read now. Throws `limits_unreadable`. */
  decideAllowed(
    launch: LaunchSpec,
    realDirectory: string,
  ): { allowed: true } | { allowed: false; code: ErrorCode; detail: string };
  /** How long things are kept here; null where the limits cannot be read, so that nothing may go. */
  readKept(): MachineKept | null;
  /** Free space where engines write, in bytes. */
  readFreeBytes(): Promise<number>;
  /** Whether the machine's own limits let a person take a session over. Throws `limits_unreadable`. */
  allowsTakeover(): boolean;
  /** Makes the checkout, or finds the session's earlier one again. Throws `PilothouseError`. */
  prepare(request: PrepareRequest): Promise<PreparedLaunch>;
  /** Why a session may not go on by the limits of now; null where it may. Throws `limits_unreadable`. */
  findFault(checkout: Checkout): Promise<StandingFault | null>;
  /** The plan as the session's grade lets it run. Throws `grade_unavailable`, and {@link findFault}'s. */
  seal(plan: SpawnPlan, engine: Engine, checkout: Checkout, found: FoundEngine): Promise<SpawnPlan>;
  /** Hosts that a session did not reach that is kept to its model, as `name:port`. */
  readRefused(sessionId: SessionId): readonly string[];
  /**
   * Opens the way of a session's calls: through the model gate, or past it, and says which. Null
   * where nobody pays by the call.
   */
  openModel(request: ModelRequest): Promise<ModelOpened | null>;
  /** Changes how far a session's calls may go; nothing, where they do not pass the gate. */
  grantModel(sessionId: SessionId, grantMicroUsd: number | null): void;
  /** What the model gate wrote down of a session beyond `offset` bytes. */
  readCalls(
    sessionId: SessionId,
    offset: number,
  ): { entries: readonly JournalEntry[]; offset: number };
  /** A directory for what a session's engine is asked beside its work: it may read there. */
  asidePlace(sessionId: SessionId): string;
  /** Where on the machine a file lies that the session's engine knows by `path`. */
  whereLies(path: string, engine: Engine, checkout: Checkout): string;
  /** The text of a file of the session's that its engine knows by `path`; null for none, or a larger one. */
  readOwn(
    path: string,
    engine: Engine,
    checkout: Checkout,
    maxBytes: number,
  ): Promise<string | null>;
  /** Keeps a copy of a conversation where a session's engine may read it, and says where. */
  keepForked(sessionId: SessionId, name: string, text: string): Promise<string>;
  /**
   * Runs an approved line in the session's checkout, as its grade lets it run. Throws
   * `check_not_approved`, `limits_unreadable` and `grade_unavailable`.
   */
  check(request: CheckLine): Promise<ShellResult>;
  /** Looks after what a session shares with the person, for as long as the session may go on. */
  attend(checkout: Checkout, engine: Engine): void;
  /** Names who knows what sessions may push, and is told what they pushed. */
  attendPushes(pushes: PushKeeper & GuardKeeper): void;
  leave(sessionId: SessionId): void;
  /** Pushes what a person allowed of a session's pushes; says what became of each ref. */
  settlePush(checkout: OwnCheckout, held: HeldPush): Promise<readonly PushOutcome[]>;
  /** Deletes what is kept of its pushes for other requests than these. */
  keepPushes(checkout: OwnCheckout, requestIds: readonly string[]): Promise<void>;
  /** Ends what waits for sessions; no engine is left. */
  close(): Promise<void>;
  bringBack(checkout: Checkout, turnId: TurnId | null): Promise<readonly EngineEvent[]>;
  /** What the acts of a session under this policy are held to before they happen. Throws `limits_unreadable`. */
  actRules(checkout: Checkout, policy: MergePolicy): ActRules;
  /**
   * What moved in a session's repository and its remotes since the last look; null where there is
   * no repository. `window` is when the session was at work.
   */
  lookAtRefs(checkout: Checkout, window: Window): Promise<RefsSeen | null>;
  /** Forgets where the refs of a session's repository were: it is over for good. */
  forgetRefs(sessionId: SessionId): void;
  /** Removes a checkout of which nothing would be lost, or whatever would be lost. */
  release(checkout: OwnCheckout, discard: boolean): Promise<Release>;
  /** Everything that a session changed. Throws `workspace_refused` and `review_too_large`. */
  review(checkout: OwnCheckout): Promise<CheckoutReview>;
  /** How one file of a review changed, secrets included. Throws `review_stale`. */
  readPatch(checkout: OwnCheckout, query: PatchQuery): Promise<ReviewedPatch>;
  /** Runs a line of the runner's own in the session's checkout, as its grade lets it run. */
  run(request: CheckLine): Promise<ShellResult>;
  /** The files of a checkout as they were: {@link keepCheckpoint} and its neighbours. */
  listCheckpoints(checkout: OwnCheckout): Promise<Checkpoint[]>;
  keepCheckpoint(checkout: OwnCheckout, mark: Omit<Checkpoint, 'tree'>): Promise<Checkpoint>;
  listDiffering(checkout: OwnCheckout, tree: string): Promise<string[]>;
  listIgnored(checkout: OwnCheckout, paths: readonly string[]): Promise<string[]>;
  writePatch(
    checkout: OwnCheckout,
    way: { from: string; to: string; only?: readonly string[] },
  ): Promise<Patch>;
  /** Opens a pull request that a person asks for, for a branch that the session pushed. */
  propose(checkout: OwnCheckout, ask: PullRequestAsk): Promise<PullRequest>;
  /** What removing a checkout would lose, each as a sentence. Its session must be over. */
  listLosses(checkout: OwnCheckout): Promise<string[]>;
  /** Values to redact for an engine, in its checkout once there is one. */
  readSecrets(engine: Engine, checkout: Checkout | null): Promise<Secret[]>;
};

export type ModelRequest = {
  sessionId: SessionId;
  engine: Engine;
  found: Pick<FoundEngine, 'payer' | 'credential'>;
  /** Everything that all its calls may come to, in micro-USD; null is no limit. */
  grantMicroUsd: number | null;
};

export type ModelOpened = Routed & { lead(plan: SpawnPlan, form?: EngineForm): SpawnPlan };

export type CheckLine = {
  engine: Engine;
  checkout: Checkout;
  command: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** A file that it reads as its input. */
  inputFile?: string;
};

export type PrepareRequest = {
  sessionId: SessionId;
  launch: LaunchSpec;
  engine: Engine;
  /** The session has no checkout yet, so that a set-up command is still to run. */
  fresh: boolean;
  /** Ends a set-up under way. */
  signal: AbortSignal;
};

export type PreparedLaunch = {
  checkout: Checkout;
  secrets: readonly Secret[];
  events: readonly EngineEvent[];
};

/** A launch that is refused before anything is started. */
export class LaunchRefused extends Error {
  readonly refusal: LaunchRefusal;

  constructor(refusal: LaunchRefusal, options?: { cause?: unknown }) {
    super(refusal.error.message, options);
    this.name = 'LaunchRefused';
    this.refusal = refusal;
  }
}

/** The refusal that any failure of preparing a launch stands for. */
export function refusalOf(error: unknown): LaunchRefusal {
  if (error instanceof LaunchRefused) return error.refusal;
  const code = error instanceof PilothouseError ? error.code : 'internal';
  return {
    state: 'provider_failed',
    code,
    error: {
      code: code === 'internal' ? 'unknown' : 'workspace_refused',
      message: messageOf(error),
    },
  };
}

/** The directory without symbolic links. Throws `directory_missing`. */
export function realDirectoryOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    throw new PilothouseError('directory_missing', { detail: directory }, { cause: error });
  }
}

/** The refusal of a launch by an error of the table, before there is a process. */
export function refuseLaunch(code: ErrorCode, detail: string | null): LaunchRefused {
  const { message } = new PilothouseError(code, detail === null ? {} : { detail });
  return new LaunchRefused({
    state: 'failed_to_start',
    code,
    error: { code: 'workspace_refused', message },
  });
}

/** The refusal that the readiness of an engine stands for. */
export function notReady(readiness: Readiness): LaunchRefused {
  const code = readiness.failure ?? 'unknown';
  const words = [readiness.problem, readiness.remedy].filter((part) => part !== null);
  const message = words.join(' ') || `${readiness.label} is not ready on this machine.`;
  const command = code === 'engine_missing' ? 'engine_missing' : 'workspace_refused';
  return new LaunchRefused({ state: 'provider_failed', code: command, error: { code, message } });
}
