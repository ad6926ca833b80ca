import { describe, expect, it } from 'vitest';
import { addUsage, type SpendTotals, type UsageEntry } from '../../../../protocol/usage.ts';
import { budgetReached } from '../../../../workers/pilot/brains/budget.ts';
import { aLaunch, aUsage } from '../../../support/protocol-builders.ts';

const asked = (budgetMicroUsd: number | null, ...entries: Partial<UsageEntry>[]) =>
  budgetReached({
    launch: aLaunch({ budgetMicroUsd }),
    spend: entries.map(aUsage).reduce<SpendTotals>(addUsage, {}),
  });

describe('the budget of a session, before its brain asks a model', () => {
  it('is no matter where there is none', () => {
    expect(asked(null, { microUsd: 9_000_000 })).toBeNull();
  });

  it.each([
    [999_999, true],
    [1_000_000, false],
    [1_500_000, false],
  ])('of a dollar allows another question after %i micro-dollars: %s', (microUsd, allowed) => {
    expect(asked(1_000_000, { microUsd }) === null).toBe(allowed);
  });

  it('counts what engine and brain took together, paid or notional', () => {
    const said = asked(
      1_000_000,
      { microUsd: 400_000 },
      { microUsd: 300_000, provenance: 'estimated' },
      { microUsd: 350_000, payer: 'subscription' },
    );
    expect(said).toMatch(/^Engine and brain together came to \$1\.05, and the budget is \$1\.00\./);
    expect(said).toContain('Give the next instruction yourself');
  });

  it('counts no money of a rehearsal, nor what has no price', () => {
    expect(
      asked(
        1_000_000,
        { provenance: 'rehearsal', microUsd: 0 },
        { provenance: 'unmetered', microUsd: null },
        { microUsd: null },
      ),
    ).toBeNull();
  });
});
