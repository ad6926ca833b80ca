import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Groups } from '../../../console/ledger/groups.tsx';
import type { UsageGrouping } from '../../../protocol/http.ts';
import { addUsage, type SpendTotals, type UsageEntry } from '../../../protocol/usage.ts';
import { aUsage, SESSION } from '../../support/protocol-builders.ts';
import { drawRouted } from '../support/routed.tsx';

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const turns = [100, 900].map((readTokens, index) => ({ turnId: `trn_${index}`, readTokens }));
    return Response.json({ items: [{ sessionId: SESSION, turns }] });
  });
});
afterEach(() => vi.unstubAllGlobals());

const totals = (...entries: Partial<UsageEntry>[]): SpendTotals =>
  entries.map((entry) => aUsage(entry)).reduce(addUsage, {});
const show = async (by: UsageGrouping, ...groups: [string, string, SpendTotals?][]) => {
  await drawRouted(
    <Groups
      by={by}
      groups={groups.map(([key, label, sums = totals({})]) => ({ key, label, totals: sums }))}
    />,
  );
  return within(screen.getByRole('region', { name: 'Spend by group' }));
};
const cells = (row: HTMLElement | undefined) =>
  within(row as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('spend by group', () => {
  it.each([
    ['payer', 'api-key', 'x', 'API key'],
    ['payer', 'somebody', 'Somebody', 'Somebody'],
    ['directory', '', '', 'no directory of its own'],
    ['directory', '/srv/work', '/srv/work', '/srv/work'],
    ['model', '', '', 'none'],
    ['engine', 'claude', 'claude', 'claude'],
  ] as const)('by %s names %j, labelled %j, %s', async (by, key, label, name) => {
    const table = await show(by, [key, label]);
    expect(table.getByRole('cell', { name })).toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  it('has a line for each kind of figure, and no sum across them', async () => {
    const mixed = totals(
      { microUsd: 2_000_000, inputTokens: 1_000, outputTokens: 0, cacheReadTokens: 0 },
      { payer: 'subscription', microUsd: 9_000_000 },
    );
    const table = await show('model', ['opus', 'opus', mixed]);
    const [, row] = table.getAllByRole('row');
    expect(cells(row)).toEqual(['opus', '1 K470', '●$2.00reported◇$9.00notional']);
  });

  it('tells no tokens where nobody told any', async () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const untold = totals({ ...none, provenance: 'unmetered', microUsd: null });
    const table = await show('model', ['opus', 'opus', untold]);
    expect(cells(table.getAllByRole('row')[1])[1]).toBe('—');
  });

  it('of sessions leads to each, with what its turns read', async () => {
    const table = await show('session', [SESSION, 'Fix the test'], ['ins_1', 'build watcher']);
    expect(await table.findByRole('img', { name: /^100 to 900 tokens/ })).toBeInTheDocument();
    expect(table.getByRole('link', { name: 'Fix the test' })).toHaveAttribute(
      'href',
      `/sessions/${SESSION}`,
    );
    // The agent of an operator leads to its instance, and has no turns to ask for.
    expect(table.getByRole('link', { name: 'build watcher' })).toHaveAttribute(
      'href',
      '/operators/ins_1',
    );
    expect(asked).toEqual([`/v1/usage/turns?sessions=${SESSION}`]);
    expect(table.getByRole('columnheader', { name: 'Read per turn' })).toBeInTheDocument();
  });

  it('of very many sessions asks for what a hundred of them read', async () => {
    const many = Array.from({ length: 101 }, (_, index): [string, string] => [
      `ses_${index}`,
      `session ${index}`,
    ]);
    await show('session', ['ins_1', 'agent of an operator'], ...many);
    const sessions = new URL(asked[0] ?? '', 'http://x').searchParams.get('sessions')?.split(',');
    expect(sessions).toHaveLength(100);
    expect(sessions?.at(-1)).toBe('ses_99');
  });
});
