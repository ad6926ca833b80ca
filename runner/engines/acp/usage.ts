import type { z } from 'zod';
import type { Observed } from '../../../protocol/engine-event.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { emit, notice, patch } from '../draft.ts';
import { type promptAnswered, usageUpdate } from './messages.ts';
import type { Draft } from './state.ts';

export const UNNAMED_MODEL = 'unnamed';
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
type Told = z.infer<typeof promptAnswered>['usage'];

/** The conversation's running cost, as the agent counts it by its own prices. */
export function readCost(draft: Draft, update: unknown): boolean {
  const told = usageUpdate.safeParse(update);
  if (!told.success) return false;
  const { cost } = told.data;
  if (draft.state.traits.usage === 'none' || cost?.currency !== 'USD') return true;
  const microUsd = Math.round(cost.amount * 1_000_000);
  patch(draft, { toldMicroUsd: microUsd });
  const { recordedMicroUsd } = draft.state;
  if (recordedMicroUsd !== null && microUsd > recordedMicroUsd)
    draft.items.push({ kind: 'estimate', microUsd: microUsd - recordedMicroUsd });
  return true;
}

/**
 * Records what the turn cost, once, as it ends. `owed`: something was used whose figure cannot
 * have come. `told`: tokens, which an agent may tell of its last step alone.
 */
export function recordTurn(draft: Draft, owed: boolean, told: Told = null): Observed {
  const { traits, model, payer, turn } = draft.state;
  const turnId = turn?.turnId ?? null;
  const named = model ?? UNNAMED_MODEL;
  const unknown = (provenance: 'unmetered' | 'unsettled'): UsageEntry => ({
    model: named,
    provenance,
    payer,
    ...NO_TOKENS,
    microUsd: null,
  });
  // A row that says that nothing is known: its absence would read as nothing spent.
  const unmetered = unknown('unmetered');
  if (traits.usage === 'none') {
    emit(draft, { type: 'usage/recorded', turnId, entries: [unmetered] });
    return 'unobservable';
  }
  const added = takeDifference(draft);
  const entries: UsageEntry[] = [];
  if (added !== null && added > 0)
    entries.push({
      model: named,
      provenance: 'reported',
      payer,
      inputTokens: told?.inputTokens ?? 0,
      outputTokens: told?.outputTokens ?? 0,
      cacheReadTokens: told?.cachedReadTokens ?? 0,
      cacheWriteTokens: told?.cachedWriteTokens ?? 0,
      microUsd: added,
    });
  if (traits.usage === 'told') {
    // What was told is a part at least; whether it is all, nobody can say.
    emit(draft, { type: 'usage/recorded', turnId, entries: [...entries, unmetered] });
    return entries.length > 0 ? 'recorded' : 'unobservable';
  }
  const lost = owed || added === null;
  if (lost) entries.push(unknown('unsettled'));
  if (entries.length === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId, entries });
  return lost ? 'unsettled' : 'recorded';
}

/** What the told total adds to what is recorded; null where that cannot be known. */
function takeDifference(draft: Draft): number | null {
  const { toldMicroUsd, recordedMicroUsd, unsettledTurns } = draft.state;
  patch(draft, { toldMicroUsd: null });
  if (toldMicroUsd === null) return 0;
  patch(draft, { recordedMicroUsd: toldMicroUsd, unsettledTurns: 0 });
  if (recordedMicroUsd === null || toldMicroUsd < recordedMicroUsd) {
    const message =
      'The engine’s figure for this turn cannot be used, because what the conversation had cost before is not known on this machine. What the turn cost is not in the ledger.';
    notice(draft, 'warning', 'usage_refused', message);
    return null;
  }
  if (unsettledTurns > 0) {
    const message =
      'The figure of this turn may include that of an earlier one that ended before the engine told it.';
    notice(draft, 'info', 'usage_settled', message);
  }
  return toldMicroUsd - recordedMicroUsd;
}
