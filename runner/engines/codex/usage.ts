import type { Payer, UsageEntry } from '../../../protocol/usage.ts';
import { emit, notice, patch } from '../draft.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';
import { type ThreadTotals, totals } from './lines.ts';
import type { Draft } from './state.ts';

/** Stands for the model where the launch names none: the engine does not say which one it chose. */
export const UNNAMED_MODEL = 'codex-default';

const FIELDS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
] as const;

/**
 * Decides what a cumulative total adds to what is recorded. Null when a figure is absent, negative,
 * no integer, or went backward: such a difference would be a guess.
 */
export function decideDifference(
  before: ThreadTotals,
  raw: unknown,
): { total: ThreadTotals; added: ThreadTotals } | null {
  const parsed = totals.safeParse(raw);
  if (!parsed.success) return null;
  const total = parsed.data;
  const added = { ...total };
  for (const field of FIELDS) added[field] = total[field] - before[field];
  if (FIELDS.some((field) => added[field] < 0)) return null;
  if (added.cached_input_tokens + added.cache_write_input_tokens > added.input_tokens) return null;
  return { total, added };
}

/** Records what the turn added to the thread; says so where that cannot be known. */
export function recordUsage(draft: Draft, raw: unknown): 'recorded' | 'none' | 'unsettled' {
  const { totals: before, turn, model, payer, unsettledTurns } = draft.state;
  const difference = before && decideDifference(before, raw);
  if (!difference) {
    const parsed = totals.safeParse(raw);
    refuseFigures(draft, before !== null);
    patch(draft, { totals: parsed.success ? parsed.data : before });
    return 'unsettled';
  }
  patch(draft, { totals: difference.total, unsettledTurns: 0 });
  const entry = entryOf(difference.added, model ?? UNNAMED_MODEL, payer);
  if (entry.inputTokens + entry.cacheReadTokens + entry.outputTokens === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: turn?.turnId ?? null, entries: [entry] });
  if (unsettledTurns > 0) {
    notice(
      draft,
      'info',
      'usage_settled',
      `The figures of this turn include those of ${unsettledTurns === 1 ? 'an earlier turn that was' : `${unsettledTurns} earlier turns that were`} ended before the engine told them.`,
    );
  }
  return 'recorded';
}

/** Says that figures cannot be used; `known`: whether it is known what they are to be compared with. */
export function refuseFigures(draft: Draft, known: boolean): void {
  const why = known
    ? 'they are absent, or went backward'
    : 'what the thread used before is not known on this machine';
  notice(
    draft,
    'warning',
    'usage_refused',
    `The engine’s figures for this turn cannot be used: ${why}. What the turn used is not in the ledger.`,
  );
}

/** The turn ended before the engine told what it used: a line in the ledger says that it did. */
export function recordUnsettled(draft: Draft): void {
  const turnId = draft.state.turn?.turnId ?? null;
  emit(draft, { type: 'usage/recorded', turnId, entries: [unsettledEntry(draft.state)] });
}

export function unsettledEntry({
  model,
  payer,
}: Pick<Draft['state'], 'model' | 'payer'>): UsageEntry {
  const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    model: model ?? UNNAMED_MODEL,
    provenance: 'unsettled',
    payer,
    ...nothing,
    microUsd: null,
  };
}

/** The engine tells tokens only: dollars are estimated. Cached tokens are a part of its input. */
export function entryOf(added: ThreadTotals, model: string, payer: Payer): UsageEntry {
  const tokens = {
    inputTokens: added.input_tokens - added.cached_input_tokens - added.cache_write_input_tokens,
    outputTokens: added.output_tokens,
    cacheReadTokens: added.cached_input_tokens,
    cacheWriteTokens: added.cache_write_input_tokens,
  };
  return {
    model,
    provenance: 'estimated',
    payer,
    ...tokens,
    microUsd: estimateMicroUsd(model, tokens),
  };
}
