import type { AccessRow } from '../../protocol/audit.ts';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

const COLUMNS = ['When', 'Who', 'Did', 'On', 'Ended'];

/** Who changed what: every request that was no mere look. */
export function AccessTable({ rows }: { rows: readonly AccessRow[] }) {
  return (
    <Table label="Access log" columns={COLUMNS}>
      {rows.map((row) => (
        <tr key={row.requestId} title={`Request ${row.requestId}`}>
          <td className="text-soft">
            <Ago at={row.at} />
          </td>
          <td>
            {row.principalName} <span className="text-faint">({row.principalKind})</span>
          </td>
          <td className="font-medium">{row.operation}</td>
          <td className="max-w-96 truncate" title={row.target}>
            <code className="text-sm">{row.target}</code>
          </td>
          <td className={row.status < 400 ? 'text-soft' : 'text-red'}>
            {row.errorCode ?? row.status}
          </td>
        </tr>
      ))}
    </Table>
  );
}
