import type { ActOutcome, ActSeen } from '../../protocol/act.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ApprovalResolution,
} from '../../protocol/approval.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { ActEnd, GateRef } from '../../protocol/gated-act.ts';
import type { ActWitness } from '../../protocol/witness.ts';

type Common = {
  /** Stays the same for the life of the item: its place in the list hangs on it. */
  key: string;
  at: number;
  turnId: TurnId | null;
  /** The tool call of the subagent that it belongs to; null is the session itself. */
  parentToolId: string | null;
};

/** A block of text that the engine completed. */
export type TextItem = Common & {
  kind: 'text';
  text: EventOf<'text/completed'>['text'];
  voice: EventOf<'text/completed'>['kind'];
};

/** A tool call, from its start on; `ended` is null while it runs. */
export type ToolItem = Common & {
  kind: 'tool';
  toolId: string;
  name: string;
  summary: string;
  input: EventOf<'tool/started'>['input'];
  ended: EventOf<'tool/ended'> | null;
  acts: readonly MarkedAct[];
};

/** An act with what became of it; null while that is open. */
export type MarkedAct = {
  act: ActSeen;
  outcome: ActOutcome | null;
  /** Why, where the policy or the forge said so. */
  reason: string | null;
  decidedBy: ActEnd['decidedBy'];
  /** The refs of it that the gate judged; what became of them is what became of it. */
  gate: readonly GateRef[];
  /** What witnesses beside the first found. */
  witnesses: readonly ActWitness[];
};

/** A request of the engine with its answer and how it ended, as far as they are known. */
export type ApprovalItem = Common & {
  kind: 'approval';
  request: ApprovalRequest;
  answer: ApprovalAnswer | null;
  channel: string | null;
  /** When it was answered, or ended unanswered (Unix ms); null while it waits. */
  decidedAt: number | null;
  resolution: ApprovalResolution | null;
};

/** Something that happened to the session rather than in it: one quiet line. */
export type NoteItem = Common & {
  kind: 'note';
  event: Extract<
    EventOf<
      | 'launch/staged'
      | 'launch/failed'
      | 'engine/ready'
      | 'engine/exited'
      | 'engine/parked'
      | 'engine/blocked'
      | 'engine/unblocked'
      | 'session/halted'
      | 'session/resumed'
      | 'breach/found'
      | 'breach/overridden'
      | 'session/ended'
      | 'checkout/prepared'
      | 'checkout/broughtBack'
      | 'turn/witnessed'
      | 'setup/ran'
      | 'action/requested'
      | 'session/forked'
      | 'takeover/began'
      | 'takeover/released'
      | 'terminal/opened'
      | 'terminal/closed'
      | 'command/failed'
      | 'rateLimit/reported'
      | 'notice/raised'
    >,
    { type: string }
  >;
};

/** One thing in a transcript. The turn’s own facts are the view’s, found by its id. */
export type Item =
  | (Common & { kind: 'turn'; turnId: TurnId })
  | (Common & { kind: 'turnEnd'; turnId: TurnId })
  | (Common & { kind: 'act'; marked: MarkedAct })
  | TextItem
  | ToolItem
  | ApprovalItem
  | NoteItem;
