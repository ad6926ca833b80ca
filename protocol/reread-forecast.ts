import { BRIEF_MAX_CHARS } from './brief.ts';
import { PLAIN_FORM } from './figure-form.ts';
import { formatMoney, formatTokens } from './figures.ts';
import type { SessionView } from './session-view.ts';
import type { SpendTotals } from './usage.ts';

/** How many of the last turns a forecast looks at, at least and at most. */
const TURNS_LEAST = 3;
const TURNS_MOST = 5;
/** Tokens that a turn reads again before anybody is told: a long conversation, not a busy turn. */
export const REREAD_ALARM_TOKENS = 200_000;
/** How many turns it foretells. */
const AHEAD = 10;

/** What a long conversation costs by being read again in each turn. */
export type RereadForecast = {
  /** Tokens that each of the last turns read again, on average. */
  cacheReadTokens: number;
  /** How many turns the average is of. */
  turns: number;
  ahead: number;
  /** What the turns ahead will cost if they are like the last ones; null where no price is known. */
  microUsd: number | null;
  /** The figures are list prices that a subscription pays: no money. */
  notional: boolean;
};

type Turn = Pick<SessionView['turns'][number], 'state' | 'spend' | 'acceptedAt'>;

const KINDS = ['reported', 'estimated', 'notional'] as const;

type Conversation = { turns: readonly Turn[] } & Pick<SessionView, 'compactedAt'>;

/** The last turns of a conversation that tell what they read; null while they are too few. */
function lastTurnsOf({ turns, compactedAt }: Conversation): readonly Turn[] | null {
  const last = turns
    // What came before the conversation was begun anew is not read again.
    .filter(({ acceptedAt }) => acceptedAt >= (compactedAt ?? 0))
    .filter(({ state, spend }) => state === 'ended' && KINDS.some((kind) => spend[kind]))
    .slice(-TURNS_MOST);
  return last.length < TURNS_LEAST ? null : last;
}

const meanOf = (turns: readonly Turn[], of: (spend: SpendTotals) => number): number =>
  Math.round(turns.reduce((sum, { spend }) => sum + of(spend), 0) / turns.length);

/** Tokens that each of the last turns read again, on average; null while they are too few. */
export function rereadTokensOf(conversation: Conversation): number | null {
  const last = lastTurnsOf(conversation);
  return last && meanOf(last, (spend) => sumOf(spend, 'cacheReadTokens'));
}

/** Foretells what a conversation costs to go on with; null while its turns read little again. */
export function forecastReread(conversation: Conversation): RereadForecast | null {
  const last = lastTurnsOf(conversation);
  const cacheReadTokens = rereadTokensOf(conversation);
  if (!last || cacheReadTokens === null || cacheReadTokens < REREAD_ALARM_TOKENS) return null;
  const priced = last.every(({ spend }) => KINDS.every((kind) => !spend[kind]?.unpriced));
  return {
    cacheReadTokens,
    turns: last.length,
    ahead: AHEAD,
    microUsd: priced ? AHEAD * meanOf(last, (spend) => sumOf(spend, 'microUsd')) : null,
    notional: last.every(({ spend }) => !spend.reported && !spend.estimated),
  };
}

const sumOf = (spend: SpendTotals, field: 'cacheReadTokens' | 'microUsd'): number =>
  KINDS.reduce((sum, kind) => sum + (spend[kind]?.[field] ?? 0), 0);

/** What a long conversation costs to go on with, as a sentence. */
export function describeReread(forecast: RereadForecast, form = PLAIN_FORM): string {
  const { cacheReadTokens, turns, ahead, microUsd, notional } = forecast;
  const read = `Each of the last ${form.count(turns)} turns read ${formatTokens(cacheReadTokens, form)} tokens of the conversation again`;
  if (microUsd === null) return `${read}.`;
  const kind = notional ? ' in notional dollars, which a subscription pays' : '';
  return `${read}. The next ${form.count(ahead)} turns will cost about ${formatMoney(microUsd, form)}${kind}.`;
}

/** Characters of a text that one token is of, for a rough word of its size. */
const CHARS_PER_TOKEN = 4;
const BRIEF_TOKENS = BRIEF_MAX_CHARS / CHARS_PER_TOKEN;

/**
 * Whether a conversation reads less begun anew, if so many turns are still to come: each of them
 * reads the record, and one of them as much as now, to look again at what the record does not tell.
 */
export function savesBegunAnew(
  { cacheReadTokens, ahead }: RereadForecast,
  turnsLeft: number,
): boolean {
  const turns = Math.min(ahead, turnsLeft);
  return turns * cacheReadTokens > cacheReadTokens + turns * BRIEF_TOKENS;
}

/** What a conversation that is begun anew reads in place of the long one, as a sentence. */
export const describeBegunAnew = (form = PLAIN_FORM): string =>
  `Begun anew, it reads a record of what was done, of about ${formatTokens(BRIEF_TOKENS, form)} tokens at most, in place of all that.`;
