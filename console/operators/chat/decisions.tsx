import { useQuery } from '@tanstack/react-query';
import { describeLook } from '../../../protocol/drive-witness.ts';
import type { GateDecisionRow } from '../../../protocol/gate.ts';
import { describeDriveCost } from '../../../protocol/unmetered-words.ts';
import { gateDecisionsQuery } from '../../api/chat.ts';
import { OWN_FORM } from '../../format/locale.ts';
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const CALLERS = {
  agent: 'its agent',
  mcp: 'MCP client',
  person: 'you',
  program: 'an agent in the terminal',
} as const;

/** What the gate decided of an instance's calls, each with the rule that decided. */
export function Decisions({ instanceId }: { instanceId: string }) {
  const query = useQuery(gateDecisionsQuery(instanceId));
  if (query.isPending) return <Skeleton label="Reading the decisions" />;
  if (query.isError && !query.data)
    return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  if (query.data.length === 0)
    return (
      <Empty title="It has made no call yet">
        Each call to a terminal stands here with why it was allowed or not, before anything is done.
      </Empty>
    );
  return (
    <Table label="Decisions" columns={['When', 'By', 'Tool', 'Decision', 'Became', 'Cost']}>
      {query.data.map((row) => (
        <tr key={`${row.callId}:${row.step}`}>
          <td className="text-soft">
            <Ago at={row.at} />
          </td>
          <td className="text-soft">{CALLERS[row.actor.kind]}</td>
          <td>
            <code>{row.tool}</code>
          </td>
          <td className={row.effect === 'deny' ? 'text-amber' : ''}>
            {row.explanation}
            {row.look !== null && row.look.others.length > 0 && (
              <ul aria-label="Moved, author unknown" className="text-sm text-soft">
                {describeLook(row.look).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </td>
          <td className="text-soft">{becameOf(row)}</td>
          <td className="text-soft">
            {row.cost === null ? '' : describeDriveCost(row.cost, OWN_FORM)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function becameOf({ effect, outcome, code }: GateDecisionRow): string {
  if (effect !== 'allow') return '';
  if (outcome === null) return 'not known';
  return code === null ? outcome : `${outcome} (${code})`;
}
