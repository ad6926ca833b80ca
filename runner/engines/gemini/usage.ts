import type { Observed } from '../../../protocol/engine-event.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { emit, notice } from '../draft.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';
import { modelStats, type ModelStats, type ResultLine } from './lines.ts';
import type { Draft, GeminiState } from './state.ts';

/**
 * Records what the process used, helper models included: its figures begin at zero with it. They
 * are tokens alone, so that the dollars are an estimate from the price table. `lost`: a call was
 * cut off in its middle, whose figure the engine does not have.
 */
export function recordUsage(draft: Draft, result: ResultLine, lost: boolean): Observed {
  const { payer } = draft.state;
  const entries: UsageEntry[] = [];
  const refused: string[] = [];
  const models = Object.entries(result.stats?.models ?? {});
  for (const [model, figures] of models) {
    const stats = modelStats.safeParse(figures);
    if (!stats.success || stats.data.cached > stats.data.input_tokens || model === '')
      refused.push(model || 'one without a name');
    else if (stats.data.total_tokens > 0)
      entries.push({ model, provenance: 'estimated', payer, ...pricedTokens(model, stats.data) });
  }
  if (refused.length > 0)
    notice(
      draft,
      'error',
      'usage_refused',
      `The engine’s usage figures of ${refused.join(', ')} were refused, because they are no counts. That part of the turn is recorded as unsettled.`,
    );
  const last = models.at(-1)?.[0];
  for (const model of lost && refused.length === 0 ? [last] : refused)
    entries.push(unsettledEntry(draft.state, model || undefined));
  if (entries.length === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: draft.state.open?.turnId ?? null, entries });
  return lost || refused.length > 0 ? 'unsettled' : 'recorded';
}

/** Thoughts are billed as output, and counted in the total alone. */
function pricedTokens(model: string, stats: ModelStats) {
  const tokens = {
    inputTokens: stats.input_tokens - stats.cached,
    outputTokens: Math.max(stats.output_tokens, stats.total_tokens - stats.input_tokens),
    cacheReadTokens: stats.cached,
    cacheWriteTokens: 0,
  };
  return { ...tokens, microUsd: estimateMicroUsd(model, tokens) };
}

/** The engine ended without its figures, which come with its last line alone. */
export function recordUnsettled(draft: Draft): Observed {
  emit(draft, {
    type: 'usage/recorded',
    turnId: draft.state.open?.turnId ?? null,
    entries: [unsettledEntry(draft.state)],
  });
  return 'unsettled';
}

function unsettledEntry({ model, payer }: GeminiState, named = model ?? 'auto'): UsageEntry {
  return {
    model: named,
    provenance: 'unsettled',
    payer,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    microUsd: null,
  };
}
