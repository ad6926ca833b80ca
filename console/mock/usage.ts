import type { UnmeteredWork, UsageGrouping, UsageRow } from '../../protocol/http.ts';
import { usageGrouping } from '../../protocol/http.ts';
import { addUsage, type SpendTotals } from '../../protocol/usage.ts';
import { writeHeader, writeRows } from '../../protocol/csv.ts';
import { USAGE_COLUMNS } from '../../protocol/usage-views.ts';

/** A row of the ledger with where it was used. */
type Used = { row: UsageRow; directory: string | null };

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

function keyOf({ row, directory }: Used, by: UsageGrouping): { key: string; label: string } {
  const same = (key: string) => ({ key, label: key });
  switch (by) {
    case 'day':
      return same(dayOf(row.at));
    case 'session':
      return { key: row.sessionId, label: row.sessionTitle };
    case 'engine':
      return same(row.engineId);
    case 'model':
      return same(row.model);
    case 'payer':
      return same(row.payer);
    case 'directory':
      return same(directory ?? '');
    default:
      return by satisfies never;
  }
}

/** Answers everything below `/v1/usage` from the entries of all records; null for another path. */
export function answerUsage(
  all: readonly Used[],
  address: URL,
  unmetered?: UnmeteredWork,
): unknown {
  const { searchParams } = address;
  const from = Number(searchParams.get('from') ?? 0);
  const to = Number(searchParams.get('to') ?? Infinity);
  const used = all.filter(({ row }) => row.at >= from && row.at < to);
  const rows = used.map(({ row }) => row);
  switch (address.pathname) {
    case '/v1/usage':
      return { items: rows, nextCursor: null };
    case '/v1/usage/summary': {
      const by = usageGrouping.catch('day').parse(searchParams.get('by'));
      const groups = new Map<string, { key: string; label: string; totals: SpendTotals }>();
      for (const one of used) {
        const { key, label } = keyOf(one, by);
        groups.set(key, { key, label, totals: addUsage(groups.get(key)?.totals ?? {}, one.row) });
      }
      return { by, totals: rows.reduce(addUsage, {}), groups: [...groups.values()], unmetered };
    }
    case '/v1/usage/days': {
      const days = new Map<string, { day: string; payer: string; totals: SpendTotals }>();
      for (const row of rows) {
        const key = `${dayOf(row.at)} ${row.payer}`;
        const totals = addUsage(days.get(key)?.totals ?? {}, row);
        days.set(key, { day: dayOf(row.at), payer: row.payer, totals });
      }
      const items = [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
      return { items };
    }
    case '/v1/usage/turns': {
      const ids = (searchParams.get('sessions') ?? '').split(',');
      return {
        items: ids.map((sessionId) => ({
          sessionId,
          turns: rows
            .filter((row) => row.sessionId === sessionId && row.turnId !== null)
            .map(({ turnId, inputTokens, cacheReadTokens, cacheWriteTokens }) => ({
              turnId,
              readTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
            })),
        })),
      };
    }
    case '/v1/usage/export':
      return writeHeader(USAGE_COLUMNS) + writeRows(USAGE_COLUMNS, rows);
    default:
      return null;
  }
}
