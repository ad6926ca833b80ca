import { sayDoer } from '../../protocol/actor.ts';
import type { ActRow } from '../../protocol/http.ts';
import { saySources } from '../../protocol/audit.ts';
import { joinWitnesses, sayWitnesses } from '../../protocol/witness.ts';
import { actStanding, actWord, evidenceOf } from '../transcript/act-mark.tsx';
import { SpenderLink } from '../ledger/spender-link.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

const COLUMNS = [
  'When',
  'Act',
  'Outcome',
  'Target',
  'Session',
  'Machine',
  'By',
  'Command',
  'Seen in',
  'Policy',
  'Link',
];

/** Acts as a ledger: when, what, what became of it, who saw it, and under which policy. */
export function ActsTable({ acts }: { acts: readonly ActRow[] }) {
  return (
    <Table label="Acts" columns={COLUMNS}>
      {acts.map((act) => (
        <ActLine key={`${act.sessionId} ${act.actId}`} act={act} />
      ))}
    </Table>
  );
}

function ActLine({ act }: { act: ActRow }) {
  const outcome = actStanding(act.outcome, act.waiting);
  const seen = joinWitnesses(act.witness, act.witnesses);
  return (
    <tr data-act={act.kind} className={act.breach ? 'bg-red-wash' : undefined}>
      <td className="text-soft">
        <Ago at={act.at} />
      </td>
      <td className="font-medium">
        <span className="flex items-center gap-2">
          {actWord(act.kind)}
          {act.rehearsal && <RehearsalLabel />}
          {act.breach && <span className="text-sm text-red">forbidden</span>}
        </span>
      </td>
      <td className={outcome.className} title={act.reason ?? undefined}>
        {outcome.word}
        {act.decidedBy !== null && <span className="text-faint"> by the {act.decidedBy}</span>}
      </td>
      <td className="max-w-48 truncate text-soft" title={act.target ?? ''}>
        {act.target ?? '—'}
      </td>
      <td className="max-w-56 truncate">
        <SpenderLink id={act.sessionId} label={act.sessionTitle} />
      </td>
      <td className="max-w-36 truncate text-soft" title={act.machine?.runnerId}>
        {act.machine?.name ?? '—'}
      </td>
      <td className="text-soft">{sayDoer(act)}</td>
      <td className="max-w-80 truncate" title={act.command}>
        <code className="text-sm">{act.command}</code>
      </td>
      <td
        className="text-soft"
        title={[evidenceOf(act.witnesses), act.uncertain && 'Not all of the command could be seen.']
          .filter(Boolean)
          .join('\n')}
      >
        {sayWitnesses(seen)}
        {act.uncertain && ', uncertain'}
        {seen.difference !== null && <span className="text-amber">, {seen.difference}</span>}
      </td>
      <td className="text-soft">{act.policy ? saySources(act.policy) : '—'}</td>
      <td
        className="figure text-soft"
        title={
          act.link
            ? `Link of its session’s chain, with the hash ${act.link.hash}`
            : 'In no chain: it is older, or of an operator'
        }
      >
        {act.link ? `#${act.link.number}` : '—'}
      </td>
    </tr>
  );
}
