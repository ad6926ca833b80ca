import { formatDay } from '../format/locale.ts';
import { useQuery } from '@tanstack/react-query';
import type { UsageGrouping, UsageSummary } from '../../protocol/http.ts';
import { sessionId } from '../../protocol/ids.ts';
import { payer } from '../../protocol/usage.ts';
import type { SpendBucket, SpendTotals } from '../../protocol/usage.ts';
import { GROWTH_SESSIONS } from '../../protocol/usage-views.ts';
import { usageTurnsQuery } from '../api/usage.ts';
import { formatTokens } from '../format/count.ts';
import { listBuckets, tokensTold, wordOfPayer } from '../format/spend.ts';
import { SpendFigure } from '../ui/spend.tsx';
import { SpenderLink } from './spender-link.tsx';
import { Table } from '../ui/table.tsx';
import { Reads } from './reads.tsx';

/** What spend can be grouped by, in the order of the choice. */
export const GROUPINGS: readonly { value: UsageGrouping; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'session', label: 'Session' },
  { value: 'directory', label: 'Repository' },
  { value: 'engine', label: 'Engine' },
  { value: 'model', label: 'Model' },
  { value: 'payer', label: 'Payer' },
];
const labelOf = (by: UsageGrouping): string =>
  GROUPINGS.find(({ value }) => value === by)?.label ?? '';

type Group = UsageSummary['groups'][number];

/** Groups one below the other; each kind of figure in a line of its own. */
export function Groups({ by, groups }: { by: UsageGrouping; groups: readonly Group[] }) {
  const turns = useQuery(usageTurnsQuery(by === 'session' ? sessionsOf(groups) : []));
  const columns = [labelOf(by), ...(by === 'session' ? ['Read per turn'] : []), 'Tokens', 'Spend'];
  return (
    <Table
      label="Spend by group"
      columns={columns}
      numeric={[columns.length - 2, columns.length - 1]}
    >
      {groups.map(({ key, label, totals }) => (
        <tr key={key}>
          <td className="w-full max-w-0 min-w-40 truncate" title={label}>
            <Name by={by} name={key} label={by === 'day' ? formatDay(label) : label} />
          </td>
          {by === 'session' && (
            <td>
              <Reads readTokens={turns.data?.get(key)?.map(({ readTokens }) => readTokens) ?? []} />
            </td>
          )}
          <td className="figure py-1 text-right text-soft">
            {listBuckets(totals).map((bucket) => (
              <span key={bucket} className="block">
                {tellTokens(bucket, totals)}
              </span>
            ))}
          </td>
          <td className="py-1">
            <span className="flex flex-col items-end">
              {listBuckets(totals).map((bucket) => {
                const total = totals[bucket];
                return total && <SpendFigure key={bucket} bucket={bucket} total={total} />;
              })}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The sessions among who spent: the agent of an operator is another, and has no turns. */
const sessionsOf = (groups: readonly Group[]): string[] =>
  groups
    .map(({ key }) => key)
    .filter((key) => sessionId.safeParse(key).success)
    .slice(0, GROWTH_SESSIONS);

function Name({ by, name, label }: { by: UsageGrouping; name: string; label: string }) {
  if (by === 'session') return <SpenderLink id={name} label={label} />;
  if (by === 'payer') {
    const known = payer.safeParse(name);
    return known.success ? wordOfPayer(known.data) : label;
  }
  if (by === 'directory' && label === '') return 'no directory of its own';
  return label || 'none';
}

/** Tokens of one kind alone: those of a rehearsal were never a model's. */
function tellTokens(bucket: SpendBucket, totals: SpendTotals): string {
  const total = totals[bucket];
  const tokens = total ? tokensTold(bucket, total) : 0;
  return tokens === null ? '—' : formatTokens(tokens);
}
