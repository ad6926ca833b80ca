import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type BudgetStanding, budgetStanding } from '../../../protocol/shared-budget.ts';
import { findTodays } from '../../../console/home/todays-budget.tsx';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { openHouse } from '../support/house.tsx';

const budget = (over: Partial<BudgetStanding> = {}): BudgetStanding =>
  budgetStanding.parse({
    scope: { kind: 'account' },
    unit: 'dollars',
    renews: 'daily',
    limit: 5_000_000,
    counts: 'all',
    zone: 'UTC',
    version: 1,
    savedBy: 'person',
    savedAt: 1,
    used: 1_250_000,
    reserved: 0,
    renewsAt: null,
    ...over,
  });

describe('the budget of today', () => {
  it('is the one in dollars that holds for everything and renews each day', () => {
    const place = { kind: 'repository', runnerId: 'run_1', directory: '/srv' };
    const others = [
      budget({ unit: 'turns' }),
      budget({ renews: 'never' }),
      budgetStanding.parse({ ...budget(), scope: place }),
    ];
    expect(findTodays(others)).toBeNull();
    expect(findTodays([...others, budget({ version: 7 })])?.version).toBe(7);
  });

  it('is not mentioned on a home page where nobody has set one', async () => {
    await openHouse('/', (world) => {
      world.add(eventsUntilApproval());
    });
    expect(await screen.findByText('Nothing was spent yet.')).toBeInTheDocument();
    expect(screen.queryByText(/budget/)).toBeNull();
  });
});
