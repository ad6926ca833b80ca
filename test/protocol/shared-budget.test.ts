import { describe, expect, it } from 'vitest';
import { runnerId } from '../../protocol/ids.ts';
import {
  budgetQuery,
  type BudgetVersion,
  countedSpend,
  markPassed,
  saveBudgetRequest,
  sayAmount,
  sayBudget,
  sayMark,
  sayRenewal,
} from '../../protocol/shared-budget.ts';
import { addUsage, type SpendTotals } from '../../protocol/usage.ts';
import { aUsage } from '../support/protocol-builders.ts';

const RUNNER = runnerId.parse('run_1');
const request = (over: Record<string, unknown> = {}) =>
  saveBudgetRequest.safeParse({
    scope: { kind: 'account' },
    unit: 'dollars',
    renews: 'daily',
    limit: 5,
    basedOn: 0,
    ...over,
  });
const named = {
  scope: { kind: 'account' as const },
  unit: 'dollars' as const,
  renews: 'daily' as const,
  limit: 10_000_000,
  counts: 'all' as const,
};

describe('a budget that is saved', () => {
  it('counts everything and has the day of UTC where nobody says otherwise', () => {
    expect(request().data).toMatchObject({ counts: 'all', zone: 'UTC' });
  });

  it('is a whole number above zero, of a whole path, in a zone that there is', () => {
    expect(request({ limit: 0 }).success).toBe(false);
    expect(request({ limit: 1.5 }).success).toBe(false);
    expect(request({ limit: null }).success).toBe(true);
    const scope = { kind: 'repository', runnerId: RUNNER, directory: 'code' };
    expect(request({ scope }).success).toBe(false);
    expect(request({ scope: { ...scope, directory: '/code' } }).success).toBe(true);
    expect(request({ zone: 'Mars/Base' }).error?.issues[0]?.message).toContain('is no time zone');
    expect(request({ zone: 'Asia/Kolkata' }).success).toBe(true);
  });

  it('is asked for by a machine and a directory together', () => {
    const of = { unit: 'turns', renews: 'never' };
    expect(budgetQuery.safeParse(of).success).toBe(true);
    expect(budgetQuery.safeParse({ ...of, runnerId: RUNNER }).success).toBe(false);
    expect(budgetQuery.safeParse({ ...of, directory: '/code' }).success).toBe(false);
    expect(budgetQuery.safeParse({ ...of, runnerId: RUNNER, directory: '/code' }).success).toBe(
      true,
    );
  });
});

describe('what of a session’s sums a budget counts', () => {
  const sum = (...entries: Parameters<typeof aUsage>[0][]): SpendTotals =>
    entries.reduce<SpendTotals>((totals, over) => addUsage(totals, aUsage(over)), {});

  it('is what somebody pays, apart from what is notional, and never a rehearsal', () => {
    const spend = sum(
      { microUsd: 10 },
      { microUsd: 20, provenance: 'estimated' },
      { microUsd: 40, provenance: 'unsettled' },
      { microUsd: 300, payer: 'subscription' },
      { microUsd: 7_000, provenance: 'rehearsal' },
      { microUsd: null, provenance: 'unmetered' },
    );
    expect(countedSpend(spend)).toMatchObject({ all: 370, paid: 70 });
    expect(countedSpend({})).toMatchObject({ all: 0, paid: 0 });
  });
});

describe('the part of a budget that is used', () => {
  it('is told at the highest mark that was passed, once', () => {
    const at = (come: number, told: number) => markPassed(come, 100, told);
    expect([at(49, 0), at(50, 0), at(81, 50), at(81, 80), at(120, 80)]).toEqual([
      null,
      50,
      80,
      null,
      95,
    ]);
  });
});

describe('a budget in words', () => {
  it('has its amount with its unit', () => {
    expect(sayAmount('dollars', 2_500_000)).toBe('$2.50');
    expect(sayAmount('dollars', 1_200)).toBe('$0.0012');
    expect(sayAmount('dollars', 0)).toBe('$0.00');
    expect(sayAmount('tokens', 2_500_000)).toBe('2.5 M tokens');
    expect(sayAmount('time', 5_400_000)).toBe('1h 30m');
    expect([sayAmount('turns', 1), sayAmount('turns', 30)]).toEqual(['1 turn', '30 turns']);
  });

  it('names whose it is, how often it begins anew, and which dollars it counts', () => {
    expect(sayBudget(named)).toBe('the daily budget of the account ($10.00, notional dollars too)');
    const scope = { kind: 'repository' as const, runnerId: RUNNER, directory: '/code/shop' };
    expect(sayBudget({ ...named, scope, renews: 'never', counts: 'paid' })).toBe(
      'the budget of /code/shop ($10.00, paid dollars alone)',
    );
    expect(sayBudget({ ...named, unit: 'turns', limit: 1 })).toBe(
      'the daily budget of the account (1 turn)',
    );
  });

  it('warns of what happens at the limit, or has happened', () => {
    const budget = { ...named, unit: 'turns' as const, limit: 10, renewsAt: null, zone: 'UTC' };
    expect(sayMark({ ...budget, used: 8 }, 80)).toBe(
      '80 % of the daily budget of the account (10 turns) is used: 8 turns. At its limit no instruction is taken. It does not renew.',
    );
    expect(sayMark({ ...budget, used: 10 }, 95)).toContain('It takes no further instruction');
  });

  it('tells the renewal by the clock of its own zone', () => {
    const renewsAt = Date.UTC(2026, 10, 30, 23);
    const say = (over: Partial<Pick<BudgetVersion, 'zone'>> & { renewsAt: number | null }) =>
      sayRenewal({ zone: 'UTC', ...over });
    expect(say({ renewsAt })).toBe('It renews at 2026-11-30 23:00 UTC');
    expect(say({ renewsAt, zone: 'Europe/Berlin' })).toBe(
      'It renews at 2026-12-01 00:00 Europe/Berlin',
    );
    expect(say({ renewsAt: null })).toBe('It does not renew');
  });
});
