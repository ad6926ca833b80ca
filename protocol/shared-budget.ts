import { z } from 'zod';
import { PLAIN_FORM } from './figure-form.ts';
import { runnerId } from './ids.ts';
import { formatDuration, formatTokens, plural, tokensOf } from './figures.ts';
import type { BucketTotal, SpendTotals } from './usage.ts';

/** Whose work a budget counts: everything of the account, or what is done in a directory of a machine. */
export const budgetScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account') }),
  z.object({
    kind: z.literal('repository'),
    runnerId,
    directory: z.string().min(1).max(4096).startsWith('/', 'must be a whole path'),
  }),
]);
export type BudgetScope = z.infer<typeof budgetScope>;

/** `time` is what turns take from their beginning to their end, whoever they wait for. */
export const BUDGET_UNITS = ['dollars', 'tokens', 'turns', 'time'] as const;
export const BUDGET_RENEWALS = ['daily', 'never'] as const;
export const BUDGET_COUNTS = ['all', 'paid'] as const;

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** What a budget is of. A scope has at most one of each unit and renewal. */
const budgetKey = {
  scope: budgetScope,
  unit: z.enum(BUDGET_UNITS),
  renews: z.enum(BUDGET_RENEWALS),
};
export type BudgetKey = {
  scope: BudgetScope;
  unit: (typeof BUDGET_UNITS)[number];
  renews: (typeof BUDGET_RENEWALS)[number];
};

const budgetTerms = {
  ...budgetKey,
  /** Micro-USD, tokens, turns or ms; null: there is none any more. */
  limit: z.int().positive().nullable(),
  /** `all`: with the notional dollars of subscriptions. `paid`: without them. */
  counts: z.enum(BUDGET_COUNTS),
  /** Where the day of a daily budget begins, as an IANA name. */
  zone: z.string().max(64).refine(isZone, 'is no time zone: name one as Europe/Berlin, or UTC'),
};

/** One version of one budget. */
export const budgetVersion = z.object({
  ...budgetTerms,
  version: z.int().positive(),
  savedBy: z.enum(['person', 'cli']),
  savedAt: z.int(),
});
export type BudgetVersion = z.infer<typeof budgetVersion>;

/** A budget, and how it stands now. */
export const budgetStanding = z.object({
  ...budgetVersion.shape,
  limit: z.int().positive(),
  /** Of the ledger's own figures, since it last renewed. */
  used: z.int().nonnegative(),
  /** Granted to turns that are not over. */
  reserved: z.int().nonnegative(),
  /** When it begins anew, Unix ms; null is never. */
  renewsAt: z.int().nullable(),
});
export type BudgetStanding = z.infer<typeof budgetStanding>;

export const budgetList = z.object({ items: z.array(budgetStanding) });
export const budgetHistory = z.object({ items: z.array(budgetVersion) });

/** Which budget is asked for: of the account, or of a directory of a machine. */
export const budgetQuery = z
  .object({
    unit: budgetKey.unit,
    renews: budgetKey.renews,
    runnerId: runnerId.optional(),
    directory: z.string().min(1).max(4096).optional(),
  })
  .refine(({ runnerId: of, directory }) => (of === undefined) === (directory === undefined), {
    message: 'runnerId and directory go together',
  });

export const saveBudgetRequest = z.object({
  ...budgetTerms,
  counts: budgetTerms.counts.default('all'),
  zone: budgetTerms.zone.default('UTC'),
  /** The version that was edited; 0 for the first. Another one since refuses the save. */
  basedOn: z.int().nonnegative(),
});
export type SaveBudgetRequest = z.infer<typeof saveBudgetRequest>;

/** What one turn may come to; null, or nothing at all, is no limit. */
export const turnGrant = z.object({
  /** Micro-USD of everything that counts, notional dollars too. */
  microUsd: z.int().positive().nullable(),
  /** Micro-USD of what somebody pays for. */
  paidMicroUsd: z.int().positive().nullable(),
  tokens: z.int().positive().optional(),
  /** From its beginning to its end, in ms. */
  timeMs: z.int().positive().optional(),
});
export type TurnGrant = z.infer<typeof turnGrant>;

/**
 * What a session has come to: micro-USD with the notional dollars and without them, tokens however
 * they were read, and the time of its turns in ms.
 */
export type CountedSpend = { all: number; paid: number; tokens: number; timeMs: number };
export const NOTHING_SPENT: CountedSpend = { all: 0, paid: 0, tokens: 0, timeMs: 0 };

/** What of a session's sums a budget counts: never a rehearsal, and no dollars without a figure. */
export function countedSpend(spend: SpendTotals): Omit<CountedSpend, 'timeMs'> {
  const of = (bucket: keyof SpendTotals) => spend[bucket]?.microUsd ?? 0;
  const paid = of('reported') + of('estimated') + of('unsettled');
  const { rehearsal: _rehearsal, ...real } = spend;
  const tokens = Object.values(real).reduce(
    (sum, total: BucketTotal | undefined) => sum + (total ? tokensOf(total) : 0),
    0,
  );
  return { all: paid + of('notional'), paid, tokens };
}

/** Parts of a budget at which the person is told, in percent. */
const MARKS = [50, 80, 95] as const;

/** The highest of these parts that is used beyond the one that was told of; null for none. */
export function markPassed(come: number, limit: number, told: number): number | null {
  const mark = MARKS.findLast((percent) => come * 100 >= limit * percent);
  return mark !== undefined && mark > told ? mark : null;
}

/** In dollars, with as many places as a small sum needs. */
export const sayDollars = (microUsd: number, form = PLAIN_FORM): string =>
  form.dollars(microUsd / 1_000_000, microUsd > 0 && microUsd < 100_000 ? 4 : 2);

/** An amount of a budget with its unit. */
export function sayAmount(unit: BudgetKey['unit'], amount: number, form = PLAIN_FORM): string {
  switch (unit) {
    case 'dollars':
      return sayDollars(amount, form);
    case 'tokens':
      return `${formatTokens(amount, form)} tokens`;
    case 'turns':
      return plural(amount, 'turn', 'turns', form);
    case 'time':
      return formatDuration(amount, form);
    default:
      return unit satisfies never;
  }
}

/** Whose budget it is, as a person calls it. */
export const sayScope = (scope: BudgetScope): string =>
  scope.kind === 'account' ? 'the account' : scope.directory;

type Named = BudgetKey & { limit: number; counts: BudgetVersion['counts'] };

/** A budget by its name: "the daily budget of the account ($10.00, notional dollars too)". */
export function sayBudget(
  { scope, unit, renews, limit, counts }: Named,
  form = PLAIN_FORM,
): string {
  const daily = renews === 'daily' ? 'daily ' : '';
  const which =
    unit !== 'dollars' ? '' : counts === 'all' ? ', notional dollars too' : ', paid dollars alone';
  return `the ${daily}budget of ${sayScope(scope)} (${sayAmount(unit, limit, form)}${which})`;
}

/** That a part of a budget is used, in percent, and what follows. */
export function sayMark(
  budget: Named & { used: number; renewsAt: number | null; zone: string },
  mark: number,
  form = PLAIN_FORM,
): string {
  const { unit, used, limit } = budget;
  const after =
    used >= limit ? 'It takes no further instruction' : 'At its limit no instruction is taken';
  return `${form.count(mark)} % of ${sayBudget(budget, form)} is used: ${sayAmount(unit, used, form)}. ${after}. ${sayRenewal(budget, form)}.`;
}

/** When a budget begins anew, as a person reads it where it was set. */
export function sayRenewal(
  { renewsAt, zone }: { renewsAt: number | null; zone: string },
  form = PLAIN_FORM,
): string {
  if (renewsAt === null) return 'It does not renew';
  return `It renews at ${form.moment(renewsAt, zone)} ${zone}`;
}
