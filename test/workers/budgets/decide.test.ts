import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runnerId, sessionId, turnId } from '../../../protocol/ids.ts';
import { type BudgetVersion, NOTHING_SPENT } from '../../../protocol/shared-budget.ts';
import {
  decideGrant,
  decideStanding,
  isCounted,
  type Reservation,
  type Used,
} from '../../../workers/budgets/decide.ts';
import { periodOf } from '../../../workers/budgets/period.ts';

const RUNNER = runnerId.parse('run_1');
const PERIOD = { from: 0, renewsAt: null };
const place = { runnerId: RUNNER, directory: '/code/shop' };
const budget = (over: Partial<BudgetVersion> = {}): BudgetVersion & { limit: number } => ({
  scope: { kind: 'account' },
  unit: 'dollars',
  renews: 'never',
  counts: 'all',
  zone: 'UTC',
  version: 1,
  savedBy: 'cli',
  savedAt: 0,
  ...over,
  limit: over.limit ?? 100,
});

describe('what a turn is granted', () => {
  it('is the least of the shares, apart for what is paid and for everything', () => {
    const used = { ...NOTHING_SPENT, all: 90, turns: 3 };
    const standing = (over: Partial<BudgetVersion>) =>
      decideStanding(budget(over), { used, held: [], period: PERIOD });
    expect(decideGrant([])).toEqual({ kind: 'granted', grant: null });
    expect(decideGrant([standing({}), standing({ counts: 'paid', limit: 1_000 })])).toEqual({
      kind: 'granted',
      grant: { microUsd: 10, paidMicroUsd: 250 },
    });
    expect(decideGrant([standing({}), standing({ unit: 'turns', limit: 3 })])).toMatchObject({
      kind: 'exhausted',
      budget: { unit: 'turns', used: 3 },
    });
  });

  it('never comes to more than any budget, whatever turns begin, end, fail and are said twice', () => {
    const step = fc.record({
      do: fc.constantFrom('begin', 'end', 'again', 'release'),
      turn: fc.integer({ min: 0, max: 9 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      notional: fc.boolean(),
    });
    const limits = fc.array(
      fc.record({
        limit: fc.integer({ min: 1, max: 1_000 }),
        unit: fc.constantFrom('dollars' as const, 'turns' as const),
        counts: fc.constantFrom('all' as const, 'paid' as const),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (given, steps) => {
        const budgets = given.map((over) => budget(over));
        const held = new Map<number, Reservation>();
        let used: Used = { ...NOTHING_SPENT, turns: 0 };
        const standings = () =>
          budgets.map((each) =>
            decideStanding(each, { used, held: [...held.values()], period: PERIOD }),
          );
        for (const { do: act, turn, share, notional } of steps) {
          const reservation = held.get(turn);
          if ((act === 'begin' || act === 'again') && !reservation) {
            const decision = decideGrant(standings());
            const ids = {
              turnId: turnId.parse(`trn_${turn}`),
              sessionId: sessionId.parse('ses_1'),
            };
            const grant =
              decision.kind === 'granted' &&
              (decision.grant ?? { microUsd: null, paidMicroUsd: null });
            if (grant) held.set(turn, { ...ids, kind: 'turn', ...place, at: 0, ...grant });
          } else if (reservation && act === 'release') held.delete(turn);
          else if (reservation && act === 'end') {
            const { microUsd, paidMicroUsd } = reservation;
            const bound = Math.min(
              microUsd ?? Infinity,
              notional ? Infinity : (paidMicroUsd ?? Infinity),
            );
            const spent = bound === Infinity ? 0 : Math.floor(bound * share);
            held.delete(turn);
            used = {
              ...used,
              all: used.all + spent,
              paid: used.paid + (notional ? 0 : spent),
              turns: used.turns + 1,
            };
          }
          for (const each of standings())
            expect(each.used + each.reserved).toBeLessThanOrEqual(each.limit);
        }
      }),
    );
  });
});

describe('whose work a budget counts', () => {
  const of = (directory: string) => ({ kind: 'repository' as const, runnerId: RUNNER, directory });

  it('is everybody’s for the account, and what lies below a directory for a repository', () => {
    expect(isCounted({ kind: 'account' }, { ...place, directory: null })).toBe(true);
    expect(isCounted(of('/code/'), place)).toBe(true);
    expect(isCounted(of('/code/sho'), place)).toBe(false);
    expect(isCounted(of('/code'), { ...place, directory: null })).toBe(false);
    expect(isCounted(of('/code'), { ...place, runnerId: runnerId.parse('run_2') })).toBe(false);
  });
});

describe('a day', () => {
  it('is the zone’s own', () => {
    const now = Date.UTC(2026, 10, 30, 23, 30);
    expect(periodOf('daily', 'UTC', now)).toEqual({
      from: Date.UTC(2026, 10, 30),
      renewsAt: Date.UTC(2026, 11, 1),
    });
    expect(periodOf('daily', 'Europe/Berlin', now)).toEqual({
      from: Date.UTC(2026, 10, 30, 23),
      renewsAt: Date.UTC(2026, 11, 1, 23),
    });
    expect(periodOf('never', 'UTC', now)).toEqual({ from: 0, renewsAt: null });
  });

  it('has 23 or 25 hours where clocks change', () => {
    const hours = (at: number) => {
      const { from, renewsAt } = periodOf('daily', 'Europe/Berlin', at);
      return ((renewsAt ?? 0) - from) / 3_600_000;
    };
    expect([Date.UTC(2026, 2, 29, 12), Date.UTC(2026, 9, 25, 12)].map(hours)).toEqual([23, 25]);
  });
});
