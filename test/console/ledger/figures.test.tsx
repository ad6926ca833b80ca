import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { PeriodChoice } from '../../../console/ledger/period-choice.tsx';
import { spendSearch } from '../../../console/ledger/search.ts';
import { SpendTokens } from '../../../console/ledger/spend-tokens.tsx';
import { Totals } from '../../../console/ledger/totals.tsx';
import { UsageTable } from '../../../console/ledger/usage-table.tsx';
import type { Period } from '../../../console/ledger/window.ts';
import type { UsageRow } from '../../../protocol/http.ts';
import { addUsage, bucketOf, type UsageEntry } from '../../../protocol/usage.ts';
import { aUsage, SESSION, TURN } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';
import { drawRouted } from '../support/routed.tsx';

const UNTOLD = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const totals = (...entries: Partial<UsageEntry>[]) =>
  entries.map((entry) => aUsage(entry)).reduce(addUsage, {});

describe('the figures of a time', () => {
  it('stand side by side by kind, the most certain first', () => {
    const { container } = draw(
      <Totals
        totals={totals({ provenance: 'estimated' }, { microUsd: 1_000_000 }, { microUsd: 500_000 })}
      />,
    );
    expect([...container.querySelectorAll('dt')].map((term) => term.textContent)).toEqual([
      'reported',
      'estimated',
    ]);
    expect(container.querySelector('dl > div')).toHaveTextContent('$1.50');
    expect(container.querySelector('dl > div')).toHaveTextContent('940 tokens · 2 entries');
  });

  it('are a lower bound where a price is missing, and none where all are', () => {
    const { container, redraw } = draw(
      <Totals totals={totals({ microUsd: 1_000_000 }, { microUsd: null })} />,
    );
    expect(container.querySelector('[data-bucket]')).toHaveTextContent('≥ $1.00');
    redraw(<Totals totals={totals({ ...UNTOLD, microUsd: null, provenance: 'unmetered' })} />);
    expect(container.querySelector('[data-bucket]')).toHaveTextContent('not priced');
    expect(container).toHaveTextContent('tokens not known · 1 entry');
  });

  it('have their tokens by what became of them, with every digit on hover', () => {
    const { container } = draw(<SpendTokens totals={totals({ cacheReadTokens: 790_123 })} />);
    const read = [...container.querySelectorAll('dl > div')].map((each) => each.textContent);
    expect(read).toEqual(['In100', 'Cache read790 K', 'Cache write20', 'Out50']);
    expect(screen.getByTitle('790,123')).toBeInTheDocument();
  });

  it('have no tokens where nobody told any, and say so where there is no figure at all', () => {
    const unmetered = totals({ ...UNTOLD, provenance: 'unmetered', microUsd: null });
    const { container, redraw } = draw(<SpendTokens totals={unmetered} />);
    expect(container.querySelector('dl')).toBeNull();
    redraw(<SpendTokens totals={{}} />);
    expect(screen.getByText('No usage is recorded yet.')).toBeInTheDocument();
  });
});

describe('the entries of the ledger', () => {
  const row = (over: Partial<UsageRow>): UsageRow => ({
    ...aUsage(over),
    bucket: bucketOf(aUsage(over)),
    sessionId: SESSION,
    sessionTitle: 'Fix the test',
    engineId: 'claude',
    turnId: TURN,
    at: 1,
    ...over,
  });
  const cellsOf = async (over: Partial<UsageRow>) => {
    await drawRouted(<UsageTable rows={[row(over)]} />);
    const [, line] = screen.getAllByRole('row');
    return within(line as HTMLElement).getAllByRole('cell');
  };

  it('tell model, tokens with both kinds of cache in one, kind and amount', async () => {
    const cells = await cellsOf({ microUsd: 18_400 });
    expect(cells.slice(1).map((cell) => cell.textContent)).toEqual([
      'Fix the test',
      'claude-opus-5-5',
      '100',
      '320',
      '50',
      '● reported',
      '$0.02',
    ]);
    expect(cells.at(-1)).toHaveAttribute('title', '$0.018400');
  });

  it('tell what has no price apart from what costs nothing', async () => {
    const cells = await cellsOf({ microUsd: null });
    expect(cells.at(-1)).toHaveTextContent('not priced');
    expect(cells.at(-1)).toHaveAttribute('title', 'No price is known for this model.');
  });

  it('tell no tokens where nobody told any', async () => {
    const cells = await cellsOf({ ...UNTOLD, provenance: 'unsettled', microUsd: null });
    expect(cells.slice(3, 6).map((cell) => cell.textContent)).toEqual(['—', '—', '—']);
  });
});

describe('the choice of a time', () => {
  const NOW = new Date(2026, 10, 30, 15, 30).getTime();
  const show = (period: Period = {}) => {
    const choose = vi.fn<(period: Period) => void>();
    draw(<PeriodChoice period={period} usual="month" nowMs={NOW} choose={choose} />);
    return choose;
  };
  const press = (name: string) => userEvent.click(screen.getByRole('radio', { name }));
  const none = { from: undefined, to: undefined };

  it('leaves the usual time out of the address, and says any other', async () => {
    const choose = show({ time: 'week' });
    expect(screen.getByRole('radio', { name: '7 days' })).toBeChecked();
    await press('30 days');
    await press('All');
    expect(choose.mock.calls).toEqual([[{ time: undefined, ...none }], [{ time: 'all', ...none }]]);
  });

  it('begins a person’s own dates with today', async () => {
    const choose = show();
    expect(screen.queryByLabelText('From')).toBeNull();
    await press('Dates');
    expect(choose).toHaveBeenCalledWith({ time: 'dates', from: '2026-11-30', to: '2026-11-30' });
  });

  it('lets neither date pass the other, and lets each be left out', () => {
    const choose = show({ time: 'dates', from: '2026-11-02', to: '2026-11-05' });
    const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('to')];
    expect(from).toHaveAttribute('max', '2026-11-05');
    expect(to).toHaveAttribute('min', '2026-11-02');
    fireEvent.change(from, { target: { value: '' } });
    fireEvent.change(to, { target: { value: '2026-11-09' } });
    expect(choose.mock.calls.map(([{ from: first, to: last }]) => [first, last])).toEqual([
      [undefined, '2026-11-05'],
      ['2026-11-02', '2026-11-09'],
    ]);
  });
});

describe('the address of the spend page', () => {
  it('keeps what it knows and drops a grouping that is none', () => {
    expect(spendSearch.parse({ by: 'payer', time: 'week' })).toEqual({ by: 'payer', time: 'week' });
    expect(spendSearch.parse({ by: 'moon' }).by).toBeUndefined();
  });
});
