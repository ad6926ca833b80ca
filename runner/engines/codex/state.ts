import type { EngineError } from '../../../protocol/engine-event.ts';
import type { LaunchId, TurnId } from '../../../protocol/ids.ts';
import type { Payer } from '../../../protocol/usage.ts';
import type { ActHandle } from '../acts.ts';
import type { Draft as AnyDraft } from '../draft.ts';
import type { EngineLaunch } from '../engine.ts';
import { bookedTotals, type ThreadTotals } from './lines.ts';

type OpenTurn = {
  turnId: TurnId;
  /** `turn.started` was read, or whatever else proves that the engine has the instruction. */
  begun: boolean;
  startedAt: number;
  interrupting: boolean;
  /** The model has answered in this turn. */
  spoke: boolean;
  /** `turn.completed` was read: the process has only to exit. */
  completed: boolean;
  usage: 'recorded' | 'none' | 'unsettled';
  acts: number;
  /** The last failure that the engine told of; it stands only if the turn did not complete. */
  error: EngineError | null;
};

export type OpenTool = { startedAt: number; acts: readonly ActHandle[] };

/** Everything that the next line's meaning depends on, as JSON. */
export type CodexState = {
  launchId: LaunchId;
  resumed: boolean;
  /** The thread to resume; the engine chooses it for a new conversation. */
  threadId: string | null;
  model: string | null;
  version: string | null;
  payer: Payer;
  credential: string | null;
  turn: OpenTurn | null;
  tools: Readonly<Record<string, OpenTool>>;
  /** The thread's cumulative figures that are recorded already; null is not known. */
  totals: ThreadTotals | null;
  /** Turns whose figures never came: the next total includes them. */
  unsettledTurns: number;
  unknownLines: Readonly<Record<string, number>>;
  garbage: number;
};

export type Draft = AnyDraft<CodexState>;

const ZERO: ThreadTotals = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
};

/** A new process: figures go on from what its thread's last process left. */
export function openState(launch: EngineLaunch, before?: CodexState): CodexState {
  return {
    launchId: launch.launchId,
    resumed: launch.resume,
    threadId: launch.resume ? launch.engineSessionId : null,
    model: launch.launch.model,
    version: launch.version,
    payer: launch.payer,
    credential: launch.credential,
    turn: null,
    tools: {},
    totals: launch.resume ? (before?.totals ?? bookedTotals(launch.books)) : ZERO,
    unsettledTurns: launch.resume ? (before?.unsettledTurns ?? 0) : 0,
    unknownLines: {},
    garbage: 0,
  };
}
