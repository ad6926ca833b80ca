import type { TurnId } from '../../protocol/ids.ts';
import type { ModelMetered } from '../../protocol/model-calls.ts';
import type { JournalEntry } from '../model-gate/journal.ts';
import { emit, patch, type Draft } from './session-io.ts';

/** Which way the calls of a session go, and with which credential. */
export type Routed = { through: 'gate' | 'provider'; reason: string | null; credential: string };

/** Calls that the gate saw, summed. */
type Sum = Omit<ModelMetered, 'turnId' | 'engineMicroUsd'>;

/** What the gate has seen of a session. */
export type ModelSeen = Routed & {
  /** Everything up to here of the gate's journal is counted, in bytes. */
  offset: number;
  /** Dollars of every call, in micro-USD. */
  microUsd: number;
  /** A call was not begun because the budget did not cover it. */
  overBudget: boolean;
  /** Not told yet: of the turn under way. */
  since: Sum & { engineMicroUsd: number | null };
};

const NOTHING: ModelSeen['since'] = {
  calls: 0,
  refused: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 0,
  engineMicroUsd: null,
};

/** The process that is about to start calls its model this way. Null: it calls none that is paid for. */
export function routed(draft: Draft, route: Routed | null): void {
  const before = draft.state.model ?? null;
  if (!route) return;
  if (before?.through !== route.through || before.reason !== route.reason)
    emit(draft, { type: 'model/routed', through: route.through, reason: route.reason });
  const fresh = { offset: 0, microUsd: 0, overBudget: false, since: NOTHING };
  patch(draft, { model: { ...fresh, ...before, ...route } });
}

/** Counts what the gate wrote down since it was last looked at. */
export function called(
  draft: Draft,
  { entries, offset }: { entries: readonly JournalEntry[]; offset: number },
): void {
  const { model } = draft.state;
  if (!model || entries.length === 0) return;
  const refusals = new Set(entries.map(({ refused }) => refused));
  const overBudget = refusals.has('spent') || refusals.has('too_large');
  const microUsd = entries.reduce((sum, entry) => sum + (entry.microUsd ?? 0), model.microUsd);
  const since = entries.reduce(addTo, model.since);
  patch(draft, {
    model: { ...model, offset, microUsd, since, overBudget: model.overBudget || overBudget },
  });
  const unpriced = entries.find(({ refused }) => refused === 'unpriced');
  if (unpriced) patch(draft, { unpricedModel: unpriced.model });
  const unknown = entries.find(({ refused }) => refused === 'unknown_endpoint');
  if (unknown)
    emit(draft, {
      type: 'notice/raised',
      level: 'warning',
      code: 'model_call_refused',
      message: `The model gate did not pass on ${unknown.model}: it might spend what nobody could count. \`model_gate = false\` in limits.toml lets engines call their providers directly.`,
    });
}

function addTo(sum: ModelSeen['since'], entry: JournalEntry): ModelSeen['since'] {
  return {
    calls: sum.calls + (entry.refused === null ? 1 : 0),
    refused: sum.refused + (entry.refused === null ? 0 : 1),
    inputTokens: sum.inputTokens + entry.inputTokens,
    outputTokens: sum.outputTokens + entry.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + entry.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens + entry.cacheWriteTokens,
    microUsd:
      sum.microUsd === null || entry.microUsd === null ? null : sum.microUsd + entry.microUsd,
    engineMicroUsd: sum.engineMicroUsd,
  };
}

/**
 * A call that was not begun for what one question was granted halts no session. Beside a turn
 * nobody can tell whose call it was, and what binds the turn stands.
 */
export function questionOver(draft: Draft): void {
  const { model, held } = draft.state;
  if (model?.overBudget && !held) patch(draft, { model: { ...model, overBudget: false } });
}

/** What the engine itself told of its work, in micro-USD. */
export function engineTold(draft: Draft, microUsd: number): void {
  const { model } = draft.state;
  if (model?.through !== 'gate') return;
  const engineMicroUsd = (model.since.engineMicroUsd ?? 0) + microUsd;
  patch(draft, { model: { ...model, since: { ...model.since, engineMicroUsd } } });
}

/** Tells what the gate saw of a turn that is over. */
export function tellCalls(draft: Draft, turnId: TurnId): void {
  const { model } = draft.state;
  if (!model || model.since.calls + model.since.refused === 0) return;
  emit(draft, { type: 'model/metered', turnId, ...model.since });
  patch(draft, { model: { ...model, since: NOTHING } });
}

/** Everything that a session's calls may come to at the gate, in micro-USD; null is no limit. */
export function modelGrantOf(
  budgetMicroUsd: number | null,
  spentMicroUsd: number,
  seen = 0,
): number | null {
  if (budgetMicroUsd === null) return null;
  return seen + Math.max(0, budgetMicroUsd - Math.max(spentMicroUsd, seen));
}
