import type { ActOutcome, ActSeen } from '../../protocol/act.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ApprovalResolution,
} from '../../protocol/approval.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';

type Common = {
  /** Stays the same for the life of the item: its place in the list hangs on it. */
  key: string;
  at: number;
  turnId: TurnId | null;
  /** The tool call of the subagent that it belongs to; null is the session itself. */
  parentToolId: string | null;
};

export type TextItem = Common & {
  kind: 'text';
  text: EventOf<'text/completed'>['text'];
  voice: EventOf<'text/completed'>['kind'];
};

export type ToolItem = Common & {
  kind: 'tool';
  toolId: string;
  name: string;
  summary: string;
  input: EventOf<'tool/started'>['input'];
  ended: EventOf<'tool/ended'> | null;
  acts: readonly MarkedAct[];
};

export type MarkedAct = { act: ActSeen; outcome: ActOutcome | null };

export type ApprovalItem = Common & {
  kind: 'approval';
  request: ApprovalRequest;
  answer: ApprovalAnswer | null;
  channel: string | null;
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
      | 'session/halted'
      | 'session/ended'
      | 'checkout/prepared'
      | 'checkout/broughtBack'
      | 'setup/ran'
      | 'action/requested'
      | 'command/failed'
      | 'rateLimit/reported'
      | 'notice/raised'
    >,
    { type: string }
  >;
};

export type Item =
  | (Common & { kind: 'turn'; turnId: TurnId })
  | (Common & { kind: 'turnEnd'; turnId: TurnId })
  | (Common & { kind: 'act'; marked: MarkedAct })
  | TextItem
  | ToolItem
  | ApprovalItem
  | NoteItem;
