import type { ApprovalRow } from '../../protocol/audit.ts';
import { sayActor } from '../../protocol/actor.ts';
import { formatDuration } from '../format/time.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { SpenderLink } from '../ledger/spender-link.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

const COLUMNS = ['Asked', 'For', 'Session', 'Answer', 'By', 'From', 'After', 'Became'];

/** What engines asked for, who answered it from where, and what became of it. */
export function ApprovalsTable({ approvals }: { approvals: readonly ApprovalRow[] }) {
  return (
    <Table label="Approvals" columns={COLUMNS} numeric={[6]}>
      {approvals.map((row) => (
        <tr key={`${row.sessionId} ${row.requestId}`}>
          <td className="text-soft">
            <Ago at={row.requestedAt} />
          </td>
          <td className="font-medium">
            {row.acts.length > 0 ? row.acts.map(actWord).join(', ') : row.toolName}
            {row.kind !== 'tool' && <span className="font-normal text-faint"> ({row.kind})</span>}
          </td>
          <td className="max-w-56 truncate">
            <SpenderLink id={row.sessionId} label={row.sessionTitle} />
          </td>
          <td>{answerOf(row)}</td>
          <td className="text-soft">{row.answer ? sayActor(row.answer.actorId) : '—'}</td>
          <td className="text-soft">{row.answer?.channel ?? '—'}</td>
          <td className="figure text-right text-soft">
            {row.answer ? formatDuration(row.answer.at - row.requestedAt) : '—'}
          </td>
          <td className="text-soft">
            {row.resolution?.outcome ?? (row.answer ? 'not confirmed' : '—')}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function answerOf({ answer, resolution }: ApprovalRow) {
  if (answer) return answer.decision === 'allow' ? 'allowed' : 'denied';
  return resolution ? (
    <span className="text-faint">nobody answered</span>
  ) : (
    <span className="text-amber">waits for you</span>
  );
}
