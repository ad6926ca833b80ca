import type { TurnId } from '../../protocol/ids.ts';
import { markPassed, sayAmount, sayDollars } from '../../protocol/shared-budget.ts';
import { bucketOf, type SpendBucket, type UsageEntry } from '../../protocol/usage.ts';
import { interruptTurn } from './endings.ts';
import { limitNotice, limitReached, limitSentence, warnOfLimits } from './limit-rules.ts';
import { measuredBy, recordTokens } from './measures.ts';
import { engineTold, type ModelSeen } from './meter-rules.ts';
import { emit, patch, type Draft } from './session-io.ts';
import type { SessionState } from './session-state.ts';
import { bindsByGrant, comeTo, type CountedBucket, overGrant, sumOf } from './spent.ts';

/** How the person is told what a part of the sum is. */
const WORDS: Record<CountedBucket, (dollars: string) => string> = {
  reported: (dollars) => `${dollars} reported by the engine`,
  estimated: (dollars) => `${dollars} estimated from tokens at list prices`,
  notional: (dollars) => `${dollars} notional at list prices, paid by a subscription`,
  unsettled: (dollars) =>
    `${dollars} for turns without their own figure, the least that they can have cost`,
};

const isCounted = (bucket: SpendBucket): bucket is CountedBucket => bucket in WORDS;

/** Counts what was recorded; the estimate of the same work is over. */
export function spend(draft: Draft, entries: readonly UsageEntry[]): void {
  const spent = { ...draft.state.spent };
  for (const entry of entries) {
    const bucket = bucketOf(entry);
    if (isCounted(bucket)) spent[bucket] = (spent[bucket] ?? 0) + (entry.microUsd ?? 0);
  }
  const told = entries.filter(
    ({ provenance }) => provenance === 'reported' || provenance === 'estimated',
  );
  if (told.length > 0)
    engineTold(
      draft,
      told.reduce((sum, { microUsd }) => sum + (microUsd ?? 0), 0),
    );
  const unpriced =
    entries.find(isUnpriced)?.model ??
    (entries.some((entry) => isUntold(draft, entry)) ? UNTOLD : draft.state.unpricedModel);
  patch(draft, { spent, unpricedModel: unpriced, estimateMicroUsd: 0 });
  recordTokens(draft, entries);
  warnOfBudget(draft);
}

/** Tokens that somebody pays for, at a price that is not known. What was cut off tells no price either. */
const isUnpriced = ({ microUsd, provenance, inputTokens, outputTokens }: UsageEntry): boolean =>
  microUsd === null && provenance === 'estimated' && inputTokens + outputTokens > 0;

/** Stands for the model where the engine tells no cost, whatever the model. */
const UNTOLD = '';

/** Work that a grant in dollars should bound, of an engine that tells no cost, past the gate. */
function isUntold({ state }: Draft, { provenance, payer }: UsageEntry): boolean {
  const cap = state.held?.cap;
  if (provenance !== 'unmetered' || !cap || state.model?.through === 'gate') return false;
  // What a subscription pays for is no paid dollar.
  return cap.microUsd !== null || (cap.paidMicroUsd !== null && payer !== 'subscription');
}

/** What the turn under way comes to beyond what is recorded, as the engine shows it so far. */
export function estimate(draft: Draft, come: { microUsd: number; tokens?: number }): void {
  patch(draft, { estimateMicroUsd: come.microUsd, estimateTokens: come.tokens ?? 0 });
}

/** Says once that a part of the budget is spent, the highest that was passed. */
function warnOfBudget(draft: Draft): void {
  const { launch, budgetTold = 0 } = draft.state;
  const limit = launch.budgetMicroUsd;
  if (limit === null) return;
  const come = comeTo(draft.state);
  const mark = markPassed(come, limit, budgetTold);
  if (mark === null) return;
  patch(draft, { budgetTold: mark });
  if (come >= limit) return;
  emit(draft, {
    type: 'notice/raised',
    level: 'warning',
    code: 'budget_warning',
    message: `${mark} % of the session’s limit of ${sayDollars(limit)} is used: it has come to ${draft.state.estimateMicroUsd > 0 ? 'about ' : ''}${sayDollars(come)}. At the limit it stops.`,
  });
}

/**
 * Asks a turn to end that goes over the budget; the halt is said when it has ended. One that goes
 * over what the account's budgets granted it ends too, and the session goes on.
 */
export function watchBudget(draft: Draft): void {
  warnOfBudget(draft);
  warnOfLimits(draft);
  const granted = noteGrant(draft);
  const { openTurnId, phase, interruptAsked } = draft.state;
  if (openTurnId === null || phase.kind !== 'ready' || interruptAsked === openTurnId) return;
  const over = isOverBudget(draft);
  const reached = over ? null : limitReached(draft);
  if (!over && reached === null && granted === null) return;
  const said =
    reached === null ? (over ? noticeSentence(draft) : null) : limitNotice(draft, reached);
  patch(draft, { interruptAsked: openTurnId, interruptFor: reached });
  // Where nothing ends a turn, what is over is said when the turn has ended by itself.
  if (!draft.config.capabilities.interrupt) return;
  emit(draft, {
    type: 'notice/raised',
    level: 'warning',
    ...(said !== null
      ? { code: 'budget_reached', message: said }
      : { code: 'grant_reached', message: grantSentence(draft, granted ?? 'dollars') }),
  });
  interruptTurn(draft);
}

/**
 * The engine ended the turn under way at the limit that its process began with. The session is
 * halted when the turn has ended, whatever was counted here: its next turn would end at once.
 */
export function capped(draft: Draft): void {
  const { openTurnId, interruptAsked } = draft.state;
  if (openTurnId === null || interruptAsked === openTurnId) return;
  patch(draft, { interruptAsked: openTurnId, interruptFor: null });
  emit(draft, {
    type: 'notice/raised',
    level: 'warning',
    code: 'budget_reached',
    message: `The engine ended the turn: its process has come to what was left of the session’s limit of ${sayDollars(draft.state.launch.budgetMicroUsd ?? 0)} when it began.`,
  });
}

/**
 * Why the session may do no more after this turn: over its budget, stopped as about to be, or with
 * a budget that cannot be kept. Null when it may go on. `granted`: the turn had a grant.
 */
export function haltAfter(
  draft: Draft,
  turnId: TurnId,
  granted = false,
): { reason: 'budget' | 'unpriced_model'; message: string } | null {
  const { interruptAsked, interruptFor = null, unpricedModel, launch, grantReached } = draft.state;
  const asked = interruptAsked === turnId;
  const limit = limitSentence(draft, asked ? interruptFor : null);
  if (limit !== null && !isOverBudget(draft)) return { reason: 'budget', message: limit };
  if (isOverBudget(draft) || (asked && grantReached !== turnId))
    return { reason: 'budget', message: budgetSentence(draft) };
  if (unpricedModel === null || (launch.budgetMicroUsd === null && !granted)) return null;
  const budget =
    launch.budgetMicroUsd === null
      ? 'the budgets that count it'
      : `the session’s limit of ${sayDollars(launch.budgetMicroUsd)}`;
  const message =
    unpricedModel === UNTOLD
      ? `The engine tells nothing of what it costs, so ${budget} cannot be kept. It takes no further instruction. Launch a new one with an API key behind the model gate, or with an engine that tells its cost.`
      : `The engine worked with the model ${unpricedModel}, for which no price is known, so ${budget} cannot be kept. It takes no further instruction. Launch a new one with a model whose price is known, or without a budget.`;
  return { reason: 'unpriced_model', message };
}

function isOverBudget({ state }: Draft): boolean {
  const { budgetMicroUsd } = state.launch;
  if (budgetMicroUsd === null) return false;
  return state.model?.overBudget === true || comeTo(state) >= budgetMicroUsd;
}

/** Notes that the turn under way has come to its grant, which is no reason to halt the session. */
function noteGrant(draft: Draft): ReturnType<typeof overGrant> {
  const { held, model } = draft.state;
  const over = overGrant(draft.state, draft.nowMs);
  if (!held || over === null) return null;
  // The gate refused for the turn's grant: the next turn has another one.
  if (model?.overBudget && bindsByGrant(draft.state))
    patch(draft, { model: { ...model, overBudget: false } });
  patch(draft, { grantReached: held.turnId });
  return over;
}

const grantSentence = ({ state, nowMs }: Draft, unit: 'dollars' | 'tokens' | 'time'): string =>
  `The turn is asked to end: with ${sayCome(state, nowMs, unit)} for the session it has come to all that the account’s budgets granted it. The session takes the next instruction as soon as they have something left; \`pilothouse budget show\` says how they stand.`;

function sayCome(state: SessionState, nowMs: number, unit: 'dollars' | 'tokens' | 'time'): string {
  if (unit === 'dollars')
    return `${state.estimateMicroUsd > 0 ? 'about ' : ''}${sayDollars(comeTo(state))}`;
  const { tokens, timeMs } = measuredBy(state, nowMs);
  return sayAmount(unit, unit === 'tokens' ? tokens : timeMs);
}

/** What is left of a session's budget, in micro-USD; null where it has none. */
export const leftOfBudget = (state: SessionState): number | null =>
  state.launch.budgetMicroUsd === null
    ? null
    : Math.max(0, state.launch.budgetMicroUsd - comeTo(state));

/**
 * What a process that is about to start may come to by its own count, for an engine that keeps to
 * such a limit: what is left of the session's, and a micro-dollar at least, for none is no limit.
 * Nothing behind the model gate, which begins no call that is not covered, nor of a turn's grant,
 * which the next turn of the same process would be held to. Undefined is no limit.
 */
export function ownCapOf(
  state: SessionState,
  through: ModelSeen['through'] | null,
): number | undefined {
  const left = leftOfBudget(state);
  return through === 'gate' || left === null ? undefined : Math.max(1, left);
}

/** Says why the session halts: which dollars counted, and what to do. */
function budgetSentence({ state }: Draft): string {
  const { spent, launch } = state;
  const sum = sumOf(spent);
  const limit = sayDollars(launch.budgetMicroUsd ?? 0);
  const gate = gateSentence(state);
  const why =
    sum >= (launch.budgetMicroUsd ?? 0)
      ? `The session has come to ${sayDollars(sum)} of its limit of ${limit}`
      : (gate ??
        `The last turn was stopped when it was estimated to reach the session’s limit of ${limit}`);
  const parts = Object.entries(WORDS).flatMap(([bucket, say]) => {
    const microUsd = spent[bucket as CountedBucket] ?? 0;
    return microUsd > 0 ? [say(sayDollars(microUsd))] : [];
  });
  const counted = parts.length > 0 ? ` Counted: ${parts.join('; ')}.` : '';
  return `${why}, so it takes no further instruction.${counted} Launch a new one with a higher limit to go on.`;
}

/** What the model gate knows of it; null where it stopped nothing. */
function gateSentence({ model, launch }: SessionState): string | null {
  if (!model) return null;
  const limit = sayDollars(launch.budgetMicroUsd ?? 0);
  const seen = sayDollars(model.microUsd);
  if (model.microUsd >= (launch.budgetMicroUsd ?? 0))
    return `The calls of the session have come to ${seen} of its limit of ${limit}, as the model gate saw them`;
  return model.overBudget
    ? `The model gate did not let the next call begin: it might have gone over the session’s limit of ${limit}, of which ${seen} is spent`
    : null;
}

function noticeSentence({ state }: Draft): string {
  const gate = gateSentence(state);
  if (gate) return `The turn is asked to end. ${gate}.`;
  const { spent, estimateMicroUsd, launch } = state;
  const sum = sumOf(spent);
  const limit = sayDollars(launch.budgetMicroUsd ?? 0);
  if (estimateMicroUsd === 0)
    return `The turn is asked to end: the session has come to ${sayDollars(sum)} of its limit of ${limit}.`;
  return `The turn is asked to end: with ${sayDollars(sum)} on record, its messages so far bring the session to about ${sayDollars(sum + estimateMicroUsd)} of its limit of ${limit}. That is an estimate from their tokens at list prices; the turn’s own figure comes at its end.`;
}
