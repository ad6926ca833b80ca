import { ownEntry } from '../../acts/own.ts';
import type { Observed } from '../../../protocol/engine-event.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { emit, notice, patch } from '../draft.ts';
import { figures } from './lines.ts';
import { type Counts, type Draft, NOTHING } from './state.ts';

/** Stands for the model where neither the launch nor the engine names one. */
export const UNNAMED_MODEL = 'qwen-default';

export const add = (a: Counts, b: Counts): Counts => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
});
export const subtract = (a: Counts, b: Counts): Counts => ({
  input: a.input - b.input,
  output: a.output - b.output,
  cached: a.cached - b.cached,
});
/** No part is negative, and no more was read from a cache than was read. */
export const isCount = ({ input, output, cached }: Counts): boolean =>
  output >= 0 && cached >= 0 && cached <= input;
export const isNothing = ({ input, output }: Counts): boolean => input + output === 0;

/** Figures of the engine's; null for what are none. */
export function readCounts(raw: unknown): Counts | null {
  const parsed = figures.safeParse(raw);
  if (!parsed.success) return null;
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens } = parsed.data;
  const counts = { input, output, cached: cache_read_input_tokens ?? 0 };
  return isCount(counts) ? counts : null;
}

const totalOf = (told: Readonly<Record<string, Counts>>): Counts =>
  Object.values(told).reduce(add, NOTHING);

/** A call's figures, which its last line tells. */
export function tellCall(draft: Draft, model: string, counts: Counts): void {
  const { open } = draft.state;
  if (!open) return;
  const before = ownEntry(open.told, model) ?? NOTHING;
  patch(draft, { open: { ...open, told: { ...open.told, [model]: add(before, counts) } } });
}

/**
 * Decides what a turn used. Its lines tell what its calls came to, model by model, and its end the
 * total of the conversation so far: what that has more is of helpers, which nothing names, and
 * counts as the model that is given. Null: the figures contradict each other, and the lines stand.
 */
export function decideTurn(
  told: Readonly<Record<string, Counts>>,
  counted: Counts | null,
  total: Counts | null,
  model: string,
): Readonly<Record<string, Counts>> | null {
  if (!counted || !total) return null;
  const more = subtract(subtract(total, counted), totalOf(told));
  if (!isCount(more)) return null;
  return isNothing(more) ? told : { ...told, [model]: add(ownEntry(told, model) ?? NOTHING, more) };
}

/**
 * Records what the turn used. `raw` is the total that its end told, undefined for none; `lost`: a
 * call was broken off before its figures came, so that there is more.
 */
export function recordUsage(draft: Draft, raw: unknown, lost: boolean): Observed {
  const { open, counted, model, payer } = draft.state;
  if (!open) return 'none';
  const total = raw === undefined ? null : readCounts(raw);
  const named = model ?? UNNAMED_MODEL;
  const used = decideTurn(open.told, counted, total, named);
  if (raw !== undefined && used === null && counted !== null)
    notice(
      draft,
      'warning',
      'usage_refused',
      'The engine’s total for this conversation cannot be used: it is absent, or went backward. The turn is recorded as its calls told it.',
    );
  const known = used ?? open.told;
  const entries = Object.entries(known).flatMap(([name, counts]): UsageEntry[] =>
    isNothing(counts) ? [] : [entryOf(name, counts, payer)],
  );
  if (lost)
    entries.push({ ...entryOf(named, NOTHING, payer), provenance: 'unsettled', microUsd: null });
  patch(draft, { counted: total ?? (counted && add(counted, totalOf(known))) });
  if (entries.length === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: open.turnId, entries });
  return lost ? 'unsettled' : 'recorded';
}

/** The engine tells tokens only: dollars are estimated. Cached tokens are a part of its input. */
export function entryOf(model: string, counts: Counts, payer: UsageEntry['payer']): UsageEntry {
  const tokens = {
    inputTokens: counts.input - counts.cached,
    outputTokens: counts.output,
    cacheReadTokens: counts.cached,
    cacheWriteTokens: 0,
  };
  return {
    model,
    provenance: 'estimated',
    payer,
    ...tokens,
    microUsd: estimateMicroUsd(model, tokens),
  };
}
