import type { LaunchId, TurnId } from '../../../protocol/ids.ts';
import type { Payer } from '../../../protocol/usage.ts';
import type { ActHandle } from '../acts.ts';
import type { Draft as DraftOf } from '../draft.ts';
import type { EngineLaunch } from '../engine.ts';
import type { Ignored } from '../ignored.ts';
import type { OpenRequest, OpenRequests } from '../open-approvals.ts';
import type { Pieces } from '../pieces.ts';

/** Tokens as the engine counts them: the cached ones are part of the input. */
export type Counts = { input: number; output: number; cached: number };
export const NOTHING: Counts = { input: 0, output: 0, cached: 0 };

type OpenTurn = {
  turnId: TurnId;
  startedAt: number;
  acts: number;
  interrupting: boolean;
  /** What the calls of this turn came to that its lines tell, by model. */
  told: Readonly<Record<string, Counts>>;
  /** The model is being asked, and its figures are not told yet. */
  asking: boolean;
};

export type OpenTool = {
  name: string;
  startedAt: number;
  acts: readonly ActHandle[];
  /** Nobody has allowed it, and the engine waits for that: nothing of it has run. */
  waiting: boolean;
  /** It goes on beside the conversation when its call is over. */
  background: boolean;
};

export type OpenApproval = OpenRequest & { engineRequestId: string; toolId: string | null };

/** Everything that the next line's meaning depends on, as JSON. */
export type QwenState = Ignored &
  Pieces &
  OpenRequests<OpenApproval> & {
    launchId: LaunchId;
    resume: boolean;
    engineSessionId: string;
    version: string | null;
    model: string | null;
    payer: Payer;
    credential: string | null;
    /** What `engine/ready` said last; null before the first. */
    announced: string | null;
    /** Instructions that were handed over, oldest first: the engine takes them up one by one. */
    pending: readonly TurnId[];
    open: OpenTurn | null;
    tools: Readonly<Record<string, OpenTool>>;
    /** What of the conversation's total is recorded already; null is not known. */
    counted: Counts | null;
    /** Requests of ours, numbered. */
    requests: number;
  };

export type Draft = DraftOf<QwenState>;

/** `before`: what the last process of the conversation left; a new one has counted nothing. */
export function openState(launch: EngineLaunch, before?: QwenState): QwenState {
  return {
    launchId: launch.launchId,
    resume: launch.resume,
    engineSessionId: launch.engineSessionId,
    version: launch.version,
    model: launch.launch.model,
    payer: launch.payer,
    credential: launch.credential,
    announced: null,
    pending: [],
    open: null,
    block: null,
    blocks: 0,
    tools: {},
    approvals: {},
    counted: launch.resume ? (before?.counted ?? null) : NOTHING,
    requests: 0,
    unknownLines: {},
    garbage: 0,
  };
}
