import { z } from 'zod';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { estimateMicroUsd, type Tokens } from '../../../protocol/prices.ts';
import type { MessageUsage } from './lines.ts';

/** One model's cumulative figures, in integers. */
type Totals = Tokens & { microUsd: number };
export type Baseline = Readonly<Record<string, Totals>>;

/** The usage of one message as the stream shows it: the output count is final only at its end. */
export type SeenMessage = Tokens & { model: string };

const count = z.int().nonnegative();
const modelFigures = z.record(
  z.string().min(1),
  z.object({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    costUSD: z.number().nonnegative(),
  }),
);

const FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'microUsd',
] as const;

/**
 * Reads a `modelUsage` block. Dollars are rounded here, while cumulative: differences of rounded
 * totals add up to the rounded total, rounded differences do not. Null when any figure is absent,
 * negative or not a number.
 */
export function parseFigures(raw: unknown): Baseline | null {
  const parsed = modelFigures.safeParse(raw);
  if (!parsed.success) return null;
  return Object.fromEntries(
    Object.entries(parsed.data).map(([model, figures]) => [
      model,
      {
        inputTokens: figures.inputTokens,
        outputTokens: figures.outputTokens,
        cacheReadTokens: figures.cacheReadInputTokens,
        cacheWriteTokens: figures.cacheCreationInputTokens,
        microUsd: Math.round(figures.costUSD * 1e6),
      },
    ]),
  );
}

export type Difference =
  | { kind: 'known'; figures: Baseline; baseline: Baseline }
  | { kind: 'refused'; reason: string; baseline: Baseline | null };

/**
 * Decides what a result adds to what is already recorded. The cumulative figures against our
 * baseline come first, because they cannot count anything twice; the engine's own difference
 * (`sinceLast`) decides where there is no baseline or the engine's counters were reset.
 */
export function decideDifference(
  baseline: Baseline | null,
  cumulative: unknown,
  sinceLast: unknown,
): Difference {
  const totals = parseFigures(cumulative);
  if (!totals)
    return { kind: 'refused', reason: 'a figure is absent, negative or not a number', baseline };
  if (baseline) {
    const figures = subtract(totals, baseline);
    if (figures) return { kind: 'known', figures, baseline: totals };
  }
  const own = parseFigures(sinceLast);
  if (own && subtract(totals, own))
    return { kind: 'known', figures: nonZero(own), baseline: totals };
  const reason = baseline
    ? 'the cumulative figures went backward'
    : 'there is no figure to compare with';
  return { kind: 'refused', reason, baseline: totals };
}

/** `totals` less `base` per model, models without any difference left out; null when one decreased. */
function subtract(totals: Baseline, base: Baseline): Baseline | null {
  const result: Record<string, Totals> = {};
  for (const model of new Set([...Object.keys(totals), ...Object.keys(base)])) {
    const now = totals[model];
    const before = base[model];
    if (!now) return null;
    const rest = { ...now };
    for (const field of FIELDS) rest[field] = now[field] - (before?.[field] ?? 0);
    if (FIELDS.some((field) => rest[field] < 0)) return null;
    result[model] = rest;
  }
  return nonZero(result);
}

function nonZero(figures: Baseline): Baseline {
  return Object.fromEntries(
    Object.entries(figures).filter(([, totals]) => FIELDS.some((field) => totals[field] > 0)),
  );
}

/** The engine's name of a model may carry its context size, `[1m]`; messages name it without. */
const plainModel = (model: string): string => model.replace(/\[[^\]]*\]$/, '');

/**
 * What messages showed beyond what the engine has counted, per model: the share of a message that
 * was cut off. Priced from the price table, because the engine will never price it.
 */
export function unsettledRemainder(
  seen: readonly SeenMessage[],
  counted: Baseline,
): readonly (Tokens & { model: string; microUsd: number | null })[] {
  const sums = new Map<string, SeenMessage>();
  for (const message of seen) sums.set(message.model, addTokens(sums.get(message.model), message));
  for (const [model, totals] of Object.entries(counted)) {
    const sum = sums.get(plainModel(model)) ?? sums.get(model);
    if (sum) for (const field of TOKEN_FIELDS) sum[field] = Math.max(0, sum[field] - totals[field]);
  }
  return [...sums.values()]
    .filter((sum) => sum.inputTokens + sum.cacheReadTokens + sum.cacheWriteTokens > 0)
    .map((sum) => ({ ...sum, microUsd: estimateMicroUsd(sum.model, sum) }));
}

const TOKEN_FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const;

const natural = (value: number | null | undefined): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/**
 * Merges what a line says about a message with what earlier lines said: counts only grow. Gives
 * `before` itself back when the line says nothing new.
 */
export function seeMessage(
  before: SeenMessage | undefined,
  model: string,
  usage: MessageUsage,
): SeenMessage {
  const merged = {
    model: before?.model ?? model,
    inputTokens: Math.max(before?.inputTokens ?? 0, natural(usage.input_tokens)),
    outputTokens: Math.max(before?.outputTokens ?? 0, natural(usage.output_tokens)),
    cacheReadTokens: Math.max(before?.cacheReadTokens ?? 0, natural(usage.cache_read_input_tokens)),
    cacheWriteTokens: Math.max(
      before?.cacheWriteTokens ?? 0,
      natural(usage.cache_creation_input_tokens),
    ),
  };
  const grew = TOKEN_FIELDS.some((field) => merged[field] !== before?.[field]);
  return before && !grew ? before : merged;
}

/** One message's figures added to those of others of its model. */
export function addTokens(sum: SeenMessage | undefined, message: SeenMessage): SeenMessage {
  const total = { ...message };
  for (const field of TOKEN_FIELDS) total[field] += sum?.[field] ?? 0;
  return total;
}

/** Ledger entries of a known difference. */
export function knownEntries(
  figures: Baseline,
  label: Pick<UsageEntry, 'provenance' | 'payer'>,
): UsageEntry[] {
  return Object.entries(figures).map(([model, totals]) => ({ model, ...label, ...totals }));
}
