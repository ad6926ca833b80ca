import { expect, it } from 'vitest';
import { describeLedger } from './ledger-report.ts';
import { summarise } from './statistics.ts';

it('a ledger’s report says what a hundred times the entries cost, in multiples', () => {
  const text = describeLedger({
    small: 10_000,
    large: 1_000_000,
    rounds: 3,
    queries: [
      { query: 'spend by day', small: summarise([2, 4, 9]), large: summarise([5, 6, 40]) },
      { query: 'acts', small: summarise([1, 1, 1]), large: summarise([1, 1, 1]) },
    ],
  });
  expect(text).toContain('of 10,000 and of 1,000,000 entries');
  expect(text).toMatch(/spend by day\s+4\.0 ms\s+6\.0 ms\s+1\.50$/m);
  expect(text).toMatch(/acts\s+1\.0 ms\s+1\.0 ms\s+1\.00$/m);
});
