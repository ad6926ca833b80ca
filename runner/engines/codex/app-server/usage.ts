import type { Observed } from '../../../../protocol/engine-event.ts';
import { tokensOf } from '../../../../protocol/figures.ts';
import type { UsageEntry } from '../../../../protocol/usage.ts';
import { ownEntry } from '../../../acts/own.ts';
import { emit, notice, patch } from '../../draft.ts';
import type { ThreadTotals } from '../lines.ts';
import {
  decideDifference,
  entryOf,
  refuseFigures,
  UNNAMED_MODEL,
  unsettledEntry,
} from '../usage.ts';
import { usageTold } from './messages.ts';
import { type Draft, NOTHING } from './state.ts';

/** Reads a thread's running total, which comes after each of the model's answers. */
export function readUsage(draft: Draft, params: unknown): boolean {
  const told = usageTold.safeParse(params);
  if (!told.success) return false;
  const { threadId, turnId, tokenUsage } = told.data;
  const { total } = tokenUsage;
  const totals: ThreadTotals = {
    input_tokens: total.inputTokens,
    cached_input_tokens: total.cachedInputTokens,
    cache_write_input_tokens: total.cacheWriteInputTokens,
    output_tokens: total.outputTokens,
  };
  if (threadId !== draft.state.threadId) readHelper(draft, threadId, totals);
  else if (turnId !== null && turnId === draft.state.engineTurnId) readOwn(draft, totals);
  else readRestored(draft, totals);
  return true;
}

function readOwn(draft: Draft, totals: ThreadTotals): void {
  const { turn, told, totals: before } = draft.state;
  const known = told ?? before;
  // An interrupt makes it repeat the total, which tells nothing of an answer that had begun.
  const repeated = known !== null && FIELDS.every((field) => known[field] === totals[field]);
  const spoke = repeated && (turn?.spoke ?? false);
  const toldWhenCut = (turn?.interrupting ?? false) && !spoke;
  patch(draft, { told: totals, toldWhenCut, turn: turn && { ...turn, spoke } });
  const difference = before && decideDifference(before, totals);
  const [entry] = difference ? entriesOf(draft, difference.added) : [];
  if (entry)
    draft.items.push({
      kind: 'estimate',
      microUsd: entry.microUsd ?? 0,
      tokens: tokensOf(entry),
    });
}

/** A thread that works for this one, as a subagent does: its figures begin with it. */
function readHelper(draft: Draft, threadId: string, totals: ThreadTotals): void {
  const { helpers, helped } = draft.state;
  const difference = decideDifference(ownEntry(helpers, threadId) ?? NOTHING, totals);
  const sum = { ...helped };
  for (const field of FIELDS) sum[field] += difference?.added[field] ?? 0;
  patch(draft, { helpers: { ...helpers, [threadId]: totals }, helped: sum });
}

const FIELDS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
] as const;

/**
 * What a thread that is taken up again has used: the baseline where this machine does not know
 * it, and otherwise what an earlier process used without living to tell.
 */
function readRestored(draft: Draft, totals: ThreadTotals): void {
  const { totals: before } = draft.state;
  const difference = before && decideDifference(before, totals);
  patch(draft, { totals, unsettledTurns: 0 });
  const entries = difference ? entriesOf(draft, difference.added) : [];
  if (entries.length === 0) return;
  emit(draft, { type: 'usage/recorded', turnId: null, entries });
  const message =
    'The engine told, when it took the conversation up again, what a turn had used that was ended before it could.';
  notice(draft, 'info', 'usage_settled', message);
}

/** Records what the turn used, once, as it ends. `owed`: an answer's figure never came. */
export function recordTurn(draft: Draft, owed: boolean): Observed {
  const { told, totals: before, helped, turn } = draft.state;
  const difference = told && before && decideDifference(before, told);
  if (told && !difference) refuseFigures(draft, before !== null);
  const lost = owed || (told !== null && !difference);
  const entries = [
    ...(difference ? entriesOf(draft, difference.added) : []),
    ...entriesOf(draft, helped),
    ...(lost ? [unsettledEntry(draft.state)] : []),
  ];
  patch(draft, { totals: told ?? before, told: null, helped: NOTHING });
  if (entries.length === 0) return 'none';
  emit(draft, { type: 'usage/recorded', turnId: turn?.turnId ?? null, entries });
  return lost ? 'unsettled' : 'recorded';
}

function entriesOf(draft: Draft, added: ThreadTotals): UsageEntry[] {
  const { model, payer } = draft.state;
  const entry = entryOf(added, model ?? UNNAMED_MODEL, payer);
  return entry.inputTokens + entry.cacheReadTokens + entry.outputTokens > 0 ? [entry] : [];
}
