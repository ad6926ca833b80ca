import type { LaunchId, TurnId } from '../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { ToolRule } from '../../../protocol/policy-defaults.ts';
import type { EngineError } from '../../../protocol/engine-event.ts';
import type { Payer } from '../../../protocol/usage.ts';
import type { ActHandle } from '../acts.ts';
import type { ActRules } from '../../gate/act-policy.ts';
import type { Draft as DraftOf } from '../draft.ts';
import type { EngineLaunch } from '../engine.ts';
import type { OpenRequest } from '../open-approvals.ts';
import type { Baseline, SeenMessage } from './usage.ts';

type OpenTurn = {
  turnId: TurnId;
  uuid: string | null;
  startedAt: number;
  interrupting: boolean;
  /** The engine has shown work or said that it began; its echo alone proves neither. */
  begun: boolean;
  acts: number;
  /** The last failure of the provider that the engine told of in this turn. */
  error: EngineError | null;
};

/** An instruction whose line was written and which the engine has not begun. */
export type PendingTurn = { turnId: TurnId; uuid: string; confirmed: boolean };

export type OpenTool = {
  name: string;
  /** The tool call of the subagent that makes this one; null is the session itself. */
  parent: string | null;
  startedAt: number;
  denied: boolean;
  /** It waits for an approval that nobody has given: until then nothing of it has run. */
  waiting: boolean;
  /** The plan that the call shows, for a request that does not repeat it. */
  plan: string | null;
  acts: readonly ActHandle[];
};

export type OpenApproval = OpenRequest & {
  engineRequestId: string;
  toolId: string | null;
  toolName: string;
  input: Record<string, unknown>;
  suggestions: readonly Record<string, unknown>[];
};

/** Where one speaker (the session, or one subagent) is in its current message. */
export type Stream = {
  messageId: string;
  nextBlock: number;
  offsets: Readonly<Record<string, number>>;
};

/** Everything that the next line's meaning depends on, as JSON. */
export type ClaudeState = {
  launchId: LaunchId;
  rehearsal: boolean;
  /** What tools are held to; absent in a state that an older runner left. */
  rules?: readonly ToolRule[];
  /** What its acts are held to; absent in a state that an older runner left. */
  actRules?: ActRules;
  /** The process keeps to a limit in dollars that the session gave it; absent where it has none. */
  limited?: boolean;
  engineSessionId: string;
  version: string | null;
  model: string | null;
  payer: Payer;
  credential: string | null;
  /** What `engine/ready` said last; null before the first. */
  announced: string | null;
  pending: readonly PendingTurn[];
  open: OpenTurn | null;
  /** Instructions that the engine took into a turn already open. */
  merged: readonly TurnId[];
  /** The engine names our instructions in its lines, so that nothing has to be guessed. */
  correlates: boolean;
  tools: Readonly<Record<string, OpenTool>>;
  /** Acts of commands that go on in the background after their tool call ended. */
  background: Readonly<Record<string, readonly ActHandle[]>>;
  approvals: Readonly<Record<string, OpenApproval>>;
  streams: Readonly<Record<string, Stream>>;
  /** Cumulative figures already recorded, per model; null is not known. */
  baseline: Baseline | null;
  /** Usage seen since the last result: of the latest messages by id, of all before them by model. */
  seen: Readonly<Record<string, SeenMessage>>;
  folded: Readonly<Record<string, SeenMessage>>;
  /** Ids of messages whose usage is recorded, newest last: a repeated one counts no more. */
  settled: readonly string[];
  results: readonly string[];
  unknownLines: Readonly<Record<string, number>>;
  garbage: number;
  counter: number;
  /** The engine was given up as unable to work; what it still says is not read. */
  dead: boolean;
};

export function openState(launch: EngineLaunch, rehearsal: boolean): ClaudeState {
  return {
    launchId: launch.launchId,
    rehearsal,
    rules: (launch.launch.policy?.policy ?? DEFAULT_POLICY).tools,
    ...(launch.acts && { actRules: launch.acts }),
    ...(launch.maxMicroUsd !== undefined && { limited: true }),
    engineSessionId: launch.engineSessionId,
    version: null,
    model: launch.launch.model,
    payer: 'unknown',
    credential: null,
    announced: null,
    pending: [],
    open: null,
    merged: [],
    correlates: false,
    tools: {},
    background: {},
    approvals: {},
    streams: {},
    baseline: launch.resume || launch.forkOf !== undefined ? null : {},
    seen: {},
    folded: {},
    settled: [],
    results: [],
    unknownLines: {},
    garbage: 0,
    counter: 0,
    dead: false,
  };
}

export type Draft = DraftOf<ClaudeState>;
