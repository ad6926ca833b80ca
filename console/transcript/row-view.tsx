import { memo } from 'react';
import type { Presence } from '../../protocol/machine.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { ApprovalRow } from '../approvals/approval-row.tsx';
import { useAnswer } from '../approvals/use-answer.ts';
import type { ApprovalItem, Item } from '../feed/items.ts';
import { useNow } from '../lib/use-now.ts';
import { ActMark } from './act-mark.tsx';
import { ForkHere } from './fork-here.tsx';
import { NoteRow } from './note-row.tsx';
import { isOpen, type Row } from './rows.ts';
import { LiveRow, TextRow } from './text-rows.tsx';
import { ToolRow } from './tool-row.tsx';
import { QueuedRow, TurnEndRow, TurnRow } from './turn-rows.tsx';

type RowViewProps = {
  row: Row;
  view: SessionView;
  presence: Presence;
  chosen: ReadonlyMap<string, boolean>;
  answerInPlace: boolean;
  toggle: (key: string, open: boolean) => void;
};

const INDENT_PX = 24;

/** One row of the transcript, deeper for a subagent's work. */
export function RowView(props: RowViewProps) {
  const { row } = props;
  if (row.kind === 'queued')
    return <QueuedRow sessionId={props.view.sessionId} turn={row.turn} presence={props.presence} />;
  return (
    <div
      className={row.depth > 0 ? 'border-l-2' : ''}
      style={row.depth > 0 ? { marginLeft: row.depth * INDENT_PX } : undefined}
    >
      {row.kind === 'live' ? (
        <LiveRow block={row.block} />
      ) : (
        <ItemRow {...props} item={row.item} steps={row.children} />
      )}
    </div>
  );
}

const StableTextRow = memo(TextRow);
const StableNoteRow = memo(NoteRow);

function ItemRow({
  item,
  steps,
  view,
  chosen,
  answerInPlace,
  toggle,
}: RowViewProps & { item: Item; steps: number }) {
  switch (item.kind) {
    case 'turn':
    case 'turnEnd': {
      const index = view.turns.findIndex((candidate) => candidate.turnId === item.turnId);
      const turn = view.turns[index];
      if (!turn) return null;
      return item.kind === 'turn' ? (
        <TurnRow sessionId={view.sessionId} turn={turn} number={index + 1} />
      ) : (
        <TurnEndRow turn={turn} fork={<ForkHere view={view} turn={turn} number={index + 1} />} />
      );
    }
    case 'text':
      return <StableTextRow item={item} />;
    case 'tool': {
      const open = isOpen(item, chosen);
      return (
        <ToolRow
          item={item}
          sessionId={view.sessionId}
          open={open}
          steps={steps}
          waiting={view.pendingApprovals.some((held) => held.toolId === item.toolId)}
          toggle={() => toggle(item.key, open)}
        />
      );
    }
    case 'approval': {
      const pending = view.pendingApprovals.some(
        (held) => held.requestId === item.request.requestId,
      );
      return pending && answerInPlace ? (
        <AnswerHere item={item} view={view} />
      ) : (
        <ApprovalRow item={item} />
      );
    }
    case 'act':
      return (
        <div className="px-4 py-1">
          <ActMark marked={item.marked} />
        </div>
      );
    case 'note':
      return <StableNoteRow item={item} />;
    default:
      return item satisfies never;
  }
}

function AnswerHere({ item, view }: { item: ApprovalItem; view: SessionView }) {
  const state = useAnswer(view, item.request, useNow('second'));
  return (
    <div className="px-4 py-2">
      <ApprovalCard request={item.request} sessionId={view.sessionId} state={state} />
    </div>
  );
}
