import type { EngineError } from '../../../protocol/engine-event.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import type { Payer } from '../../../protocol/usage.ts';
import type { ActHandle } from '../acts.ts';
import type { Draft as AnyDraft } from '../draft.ts';
import type { EngineLaunch, EngineTurn } from '../engine.ts';
import type { RpcId } from '../json-rpc.ts';
import type { OpenRequest } from '../open-approvals.ts';
import type { Pieces } from '../pieces.ts';
import type { PermissionOption, ToolCall } from './messages.ts';
import type { FileDiff } from '../../../protocol/engine-event.ts';

/** What differs from agent to agent, as data that the parser's state carries. */
export type AcpTraits = {
  /**
   * `dollars`: it tells its session's running cost. `none`: its figures leave out what is billed.
   * `told`: nobody has proven either; what it tells is recorded, and that there may be more.
   */
  usage: 'dollars' | 'none' | 'told';
  /** What to do about its login, as a sentence. */
  loginAdvice: string;
  /** It tells a conversation's past after it has said that the conversation is open, too. */
  retellsLate?: true;
  /** As in the capabilities of an engine. */
  overwritesInMinute?: true;
};

type OpenTurn = {
  turnId: TurnId;
  begun: boolean;
  startedAt: number;
  interrupting: boolean;
  /** The model has answered in this turn. */
  spoke: boolean;
  acts: number;
  /** A failure that ended the process's work; its exit tells it. */
  error: EngineError | null;
};

export type OpenTool = {
  kind: string;
  command: string | null;
  startedAt: number;
  acts: readonly ActHandle[];
  output: string;
  files: readonly FileDiff[];
};

export type OpenApproval = OpenRequest & {
  rpcId: RpcId;
  toolId: string;
  options: readonly PermissionOption[];
};

/** Everything that the next line's meaning depends on, as JSON. */
export type AcpState = Pieces & {
  traits: AcpTraits;
  approvalsMode: ApprovalsMode;
  resumed: boolean;
  /** The agent's id of the conversation; it chooses it for a new one. */
  sessionId: string | null;
  directory: string;
  model: string | null;
  version: string | null;
  payer: Payer;
  credential: string | null;
  ready: boolean;
  /** The agent may still tell the conversation's past, until it has read a line of ours. */
  retelling: boolean;
  waiting: EngineTurn | null;
  /** It said that it takes images; others are told their paths. */
  seesImages?: boolean;
  turn: OpenTurn | null;
  /** Calls that were announced and tell nothing yet of what they would do. */
  announced: Readonly<Record<string, ToolCall>>;
  tools: Readonly<Record<string, OpenTool>>;
  /** Calls of this turn that are over: what is still told of them is not begun again. */
  ended: readonly string[];
  approvals: Readonly<Record<string, OpenApproval>>;
  /** The conversation's cost that is recorded already; null is not known. */
  recordedMicroUsd: number | null;
  toldMicroUsd: number | null;
  unsettledTurns: number;
  unknownLines: Readonly<Record<string, number>>;
  garbage: number;
};

export type Draft = AnyDraft<AcpState>;

/** A new process: the conversation's cost goes on from what its last process left. */
export function openState(traits: AcpTraits, launch: EngineLaunch, before?: AcpState): AcpState {
  return {
    traits,
    launchId: launch.launchId,
    approvalsMode: launch.launch.approvals,
    resumed: launch.resume,
    sessionId: launch.resume ? launch.engineSessionId : null,
    directory: launch.directory,
    model: launch.launch.model,
    version: launch.version,
    payer: launch.payer,
    credential: launch.credential,
    ready: false,
    retelling: launch.resume,
    waiting: null,
    turn: null,
    announced: {},
    tools: {},
    ended: [],
    approvals: {},
    block: null,
    blocks: 0,
    recordedMicroUsd: launch.resume ? (before?.recordedMicroUsd ?? null) : 0,
    toldMicroUsd: null,
    unsettledTurns: launch.resume ? (before?.unsettledTurns ?? 0) : 0,
    unknownLines: {},
    garbage: 0,
  };
}
