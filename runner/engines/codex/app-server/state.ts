import type { Draft as AnyDraft } from '../../draft.ts';
import type { EngineLaunch } from '../../engine.ts';
import type { OpenRequest } from '../../open-approvals.ts';
import type { RpcId } from '../../json-rpc.ts';
import type { TurnId } from '../../../../protocol/ids.ts';
import type { ApprovalsMode } from '../../../../protocol/launch.ts';
import type { ThreadTotals } from '../lines.ts';
import { toldPolicy } from '../preset.ts';
import { type CodexState, openState as openThread } from '../state.ts';

/** A request of the engine that waits for a person. */
export type OpenApproval = OpenRequest & { rpcId: RpcId; toolId: string };

/** A change of files under way, as a person is asked for it. */
export type OpenChange = { paths: readonly string[]; shown: string };

/** A text as far as it came, its beginning kept, and how many characters it has by now. */
export type OpenText = { kind: 'answer' | 'thinking'; text: string; chars: number };

/** What the one-shot form keeps of a thread, and what a process of many turns adds to it. */
export type AppServerState = CodexState & {
  directory: string;
  approvalsMode: ApprovalsMode;
  /** What the thread is told of the session's policy; absent in states of earlier versions. */
  policy?: string;
  /** The instruction that waits for the thread: it was handed over before there was one. */
  waiting: { turnId: TurnId; text: string } | null;
  ready: boolean;
  /** The engine’s own id of the turn that is open. */
  engineTurnId: string | null;
  approvals: Readonly<Record<string, OpenApproval>>;
  changes: Readonly<Record<string, OpenChange>>;
  /** The texts that are being written, by item. */
  texts: Readonly<Record<string, OpenText>>;
  /** Cumulative figures of the threads that work for this one, by their id. */
  helpers: Readonly<Record<string, ThreadTotals>>;
  /** What they used in this turn. */
  helped: ThreadTotals;
  /** The thread’s newest total, which the turn’s end records. */
  told: ThreadTotals | null;
  interrupts: number;
  /** Instructions that the engine took into the turn that is open. */
  merged: readonly TurnId[];
  /** The figures of the answer that an interrupt cut off were told: no other one began. */
  toldWhenCut: boolean;
};

export type Draft = AnyDraft<AppServerState>;

export const NOTHING: ThreadTotals = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
};

/** A new process of a thread, which the one-shot form may have begun: both count it the same. */
export function openState(
  launch: EngineLaunch,
  before?: CodexState | AppServerState,
): AppServerState {
  return {
    ...openThread(launch, before),
    directory: launch.directory,
    approvalsMode: launch.launch.approvals,
    policy: toldPolicy(launch),
    waiting: null,
    ready: false,
    engineTurnId: null,
    approvals: {},
    changes: {},
    texts: {},
    told: null,
    helped: NOTHING,
    helpers: before && 'helpers' in before ? before.helpers : {},
    interrupts: 0,
    merged: [],
    toldWhenCut: false,
  };
}
