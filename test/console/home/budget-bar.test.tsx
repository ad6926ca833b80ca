import { cleanup, render, screen } from '@testing-library/react';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { afterEach, describe, expect, it } from 'vitest';
import '../support/dom.ts';
import { budgetStanding } from '../../../protocol/shared-budget.ts';
import { BudgetBar } from '../../../console/home/todays-budget.tsx';

afterEach(cleanup);

/** The bar on a page of its own: it leads to the settings, and so needs a router. */
async function show(used: number, counts: 'all' | 'paid') {
  const budget = budgetStanding.parse({
    scope: { kind: 'account' },
    unit: 'dollars',
    renews: 'daily',
    limit: 5_000_000,
    counts,
    zone: 'UTC',
    version: 1,
    savedBy: 'person',
    savedAt: 1,
    used,
    reserved: 0,
    renewsAt: null,
  });
  const root = createRootRoute({ component: () => <BudgetBar budget={budget} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  return screen.findByRole('link');
}

describe('the bar of a budget', () => {
  it('says what is used of it, and whether list prices count', async () => {
    expect(await show(1_250_000, 'all')).toHaveTextContent(
      '$1.25 of $5.00 budget, list prices included',
    );
    cleanup();
    expect((await show(1_250_000, 'paid')).textContent).toBe('$1.25 of $5.00 budget');
  });

  it.each([
    [1_000_000, 'bg-accent', '20%'],
    [4_000_000, 'bg-amber', '80%'],
    [5_000_000, 'bg-red', '100%'],
    [9_000_000, 'bg-red', '100%'],
  ])('at %i has the colour %s and the width %s', async (used, colour, width) => {
    const bar = (await show(used, 'paid')).querySelector<HTMLElement>('[aria-hidden] > span');
    expect(bar).toHaveClass(colour);
    expect(bar?.style.width).toBe(width);
  });
});
