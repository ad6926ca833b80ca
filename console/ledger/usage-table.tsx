import type { UsageRow } from '../../protocol/http.ts';
import { formatTokens } from '../format/count.ts';
import { formatMoney, formatMoneyExact } from '../format/money.ts';
import { tokensTold, wordOfBucket } from '../format/spend.ts';
import { SpenderLink } from './spender-link.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

const COLUMNS = ['When', 'Session', 'Model', 'In', 'Cache', 'Out', 'Kind', 'Amount'];

/** The ledger's own lines: one model's usage in one turn each. */
export function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  return (
    <Table label="Usage entries" columns={COLUMNS} numeric={[3, 4, 5, 7]}>
      {rows.map((row) => {
        const { word, glyph, why, className } = wordOfBucket(row.bucket);
        const told = tokensTold(row.bucket, row) !== null;
        const tokens = (count: number) => (told ? formatTokens(count) : '—');
        return (
          <tr key={`${row.sessionId}:${row.turnId}:${row.model}:${row.at}`}>
            <td className="text-soft">
              <Ago at={row.at} />
            </td>
            <td className="max-w-64 truncate">
              <SpenderLink id={row.sessionId} label={row.sessionTitle} />
            </td>
            <td className="text-soft">{row.model}</td>
            <td className="figure text-right">{tokens(row.inputTokens)}</td>
            <td className="figure text-right">
              {tokens(row.cacheReadTokens + row.cacheWriteTokens)}
            </td>
            <td className="figure text-right">{tokens(row.outputTokens)}</td>
            <td className={className} title={why}>
              <span aria-hidden>{glyph}</span> {word}
            </td>
            <td
              className="figure text-right"
              title={
                row.microUsd === null
                  ? 'No price is known for this model.'
                  : formatMoneyExact(row.microUsd)
              }
            >
              {row.microUsd === null ? 'not priced' : formatMoney(row.microUsd)}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
