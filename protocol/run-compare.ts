import { z } from 'zod';
import { PLAIN_FORM } from './figure-form.ts';
import { plural } from './figures.ts';
import { sessionId } from './ids.ts';
import { spanOf } from './run-compose.ts';
import { runReport, type RunReport } from './run-report.ts';
import type { BucketTotal, SpendTotals } from './usage.ts';

/** Most runs that are compared at once. */
export const COMPARE_MAX = 8;

/** The sessions to compare, by their ids with commas between. */
export const compareQuery = z.object({
  sessions: z
    .string()
    .max(400)
    .transform((text) => text.split(','))
    .pipe(
      z
        .array(sessionId)
        .min(2)
        .max(COMPARE_MAX)
        .refine((ids) => new Set(ids).size === ids.length, 'name each session once'),
    ),
});

/** In which kind of dollars a run's cost may be held against another's. */
export const COST_KINDS = ['paid', 'notional'] as const;

const sideCost = z.discriminatedUnion('comparable', [
  z.object({
    comparable: z.literal(true),
    /** `paid` holds reported and estimated dollars; `notional` the list prices of a subscription. */
    kind: z.enum(COST_KINDS),
    microUsd: z.int().nonnegative(),
  }),
  /** Why it is in no conclusion about cost, as a sentence. */
  z.object({ comparable: z.literal(false), why: z.string() }),
]);

export const runSide = runReport
  .pick({
    sessionId: true,
    title: true,
    standing: true,
    engine: true,
    machine: true,
    grade: true,
    workedMs: true,
    createdAt: true,
    updatedAt: true,
    gaps: true,
    spend: true,
    commits: true,
    uncommittedFiles: true,
  })
  .extend({
    mode: z.enum(['pilot', 'co_pilot', 'manual']),
    /** The cadence: how many turns, who asked for them, and how long the one in the middle took. */
    turns: z.int().nonnegative(),
    turnsByPilot: z.int().nonnegative(),
    medianTurnMs: z.int().nonnegative(),
    cost: sideCost,
    acts: z.record(z.string(), z.int().positive()),
    files: z.int().nonnegative(),
    approvals: z.int().nonnegative(),
  });
export type RunSide = z.infer<typeof runSide>;

export const runComparison = z.object({
  /** Null where the sides had different objectives: then little can be concluded. */
  objective: z.string().nullable(),
  sides: z.array(runSide).min(2).max(COMPARE_MAX),
  /** What may be said of them, as sentences; what may not be, too. */
  conclusions: z.array(z.string()),
});
export type RunComparison = z.infer<typeof runComparison>;

/** Holds runs beside each other. Cost is concluded only from sides whose cost is known whole. */
export function compareRuns(reports: readonly RunReport[]): RunComparison {
  const sides = reports.map(toSide);
  const objectives = new Set(reports.map(({ objective }) => objective.trim()));
  const [objective = ''] = objectives;
  return {
    objective: objectives.size === 1 ? objective : null,
    sides,
    conclusions: [
      ...(objectives.size === 1
        ? []
        : ['They had different objectives: what follows compares unlike work.']),
      ...outcomes(sides),
      ...costs(sides),
      ...times(sides),
    ],
  };
}

function toSide(report: RunReport): RunSide {
  const { turns, spend, files, approvals } = report;
  const acts: Record<string, number> = {};
  for (const { kind, outcome } of report.acts)
    if (outcome !== 'not_done') acts[kind] = (acts[kind] ?? 0) + 1;
  return runSide.parse({
    ...report,
    mode: report.pilot?.mode ?? 'manual',
    turns: turns.length,
    turnsByPilot: turns.filter(({ askedBy }) => askedBy === 'pilot').length,
    medianTurnMs: median(turns.filter(({ endedAt }) => endedAt !== null).map(spanOf)),
    cost: costOf(spend),
    acts,
    files: files.length,
    approvals: approvals.length,
  });
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function costOf(spend: SpendTotals): RunSide['cost'] {
  const none = (why: string) => ({ comparable: false as const, why });
  const { reported, estimated, notional } = spend;
  if (spend.rehearsal) return none('it is a rehearsal, which costs nothing.');
  if (spend.unmetered) return none('it is unmetered: what it cost cannot be known.');
  if (spend.unsettled) return none('a turn of it ended without a final figure.');
  const known = [reported, estimated, notional].filter((total) => total !== undefined);
  if (known.length === 0) return none('no usage of it is recorded.');
  if (known.some(({ unpriced }) => unpriced > 0)) return none('part of it has no known price.');
  const paid = sum([reported, estimated]);
  if (notional && paid > 0) return none('a subscription paid for a part of it alone.');
  return notional
    ? { comparable: true, kind: 'notional', microUsd: notional.microUsd }
    : { comparable: true, kind: 'paid', microUsd: paid };
}

const sum = (totals: readonly (BucketTotal | undefined)[]): number =>
  totals.reduce((all, total) => all + (total?.microUsd ?? 0), 0);

function outcomes(sides: readonly RunSide[]): string[] {
  const done = sides.filter(({ standing }) => standing === 'done');
  if (done.length === sides.length) return ['All are done.'];
  if (done.length === 0) return ['None is done: no conclusion about the better one is drawn.'];
  return [`Done: ${names(done)}. Cost and time are concluded from these alone.`];
}

function costs(sides: readonly RunSide[]): string[] {
  const done = sides.filter(({ standing }) => standing === 'done');
  const left = done.flatMap((side) =>
    side.cost.comparable
      ? []
      : [`${nameOf(side)} is left out of the conclusion about cost: ${side.cost.why}`],
  );
  const kinds = COST_KINDS.map((kind) =>
    done.flatMap((side) =>
      side.cost.comparable && side.cost.kind === kind
        ? [{ side, microUsd: side.cost.microUsd }]
        : [],
    ),
  );
  const apart = kinds.every((group) => group.length > 0)
    ? ['Money that was paid and list prices of a subscription are not held against each other.']
    : [];
  const estimates = done.filter(({ cost, spend }) => cost.comparable && spend.estimated);
  const priced =
    estimates.length > 0 && estimates.length < done.length - left.length
      ? [`What ${names(estimates)} cost is an estimate at list prices, at least in part.`]
      : [];
  return [...kinds.flatMap(cheapest), ...priced, ...apart, ...left];
}

function cheapest(group: readonly { side: RunSide; microUsd: number }[]): string[] {
  const [first, second] = group.toSorted((one, other) => one.microUsd - other.microUsd);
  if (!first || !second) return [];
  if (first.microUsd === second.microUsd) return ['The cheapest of them cost the same.'];
  const share = Math.round((first.microUsd / second.microUsd) * 100);
  return [`Cheapest: ${nameOf(first.side)}, at ${share} % of the next.`];
}

function times(sides: readonly RunSide[]): string[] {
  const done = sides.filter(({ standing }) => standing === 'done');
  const [first, second] = done.toSorted((one, other) => one.workedMs - other.workedMs);
  if (!first || !second || first.workedMs === second.workedMs) return [];
  return [`Quickest at work: ${nameOf(first)}.`];
}

/** A side by its engine and the end of its id, which tells two runs of one engine apart. */
export const nameOf = ({ engine, sessionId }: Pick<RunSide, 'engine' | 'sessionId'>): string =>
  `${engine.engineId} …${sessionId.slice(-6)}`;

const names = (sides: readonly RunSide[]): string => sides.map(nameOf).join(', ');

/** What a run changed: files that its engine told of, and what git has of them by now. */
export function sayChanged(
  { files, commits, uncommittedFiles }: Pick<RunSide, 'files' | 'commits' | 'uncommittedFiles'>,
  form = PLAIN_FORM,
): string {
  const of = (count: number, what: string) => plural(count, what, `${what}s`, form);
  return `${of(files, 'file')} told, ${of(commits, 'commit')}, ${of(uncommittedFiles, 'file')} in none`;
}
