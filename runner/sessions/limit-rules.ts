import { markPassed, sayAmount } from '../../protocol/shared-budget.ts';
import { type Measured, measuredBy } from './measures.ts';
import { emit, patch, type Draft } from './session-io.ts';

const UNITS = { tokens: 'tokens', turns: 'turns', timeMs: 'time' } as const;
const KEYS = Object.keys(UNITS) as (keyof Measured)[];

/** Says once of each limit in tokens, turns or time that a part of it is used. */
export function warnOfLimits(draft: Draft): void {
  const { limits } = draft.state.launch;
  if (!limits) return;
  const come = measuredBy(draft.state, draft.nowMs);
  for (const key of KEYS) {
    const limit = limits[key];
    if (limit === null) continue;
    const { limitsTold = {} } = draft.state;
    const mark = markPassed(come[key], limit, limitsTold[key] ?? 0);
    if (mark === null) continue;
    patch(draft, { limitsTold: { ...limitsTold, [key]: mark } });
    if (come[key] >= limit) continue;
    emit(draft, {
      type: 'notice/raised',
      level: 'warning',
      code: 'budget_warning',
      message: `${mark} % of the session’s limit of ${sayAmount(UNITS[key], limit)} is used: it has come to ${sayAmount(UNITS[key], come[key])}. At the limit it stops.`,
    });
  }
}

/** The limit for which the turn under way is asked to end; null for none. Turns end by themselves. */
export const limitReached = (draft: Draft): keyof Measured | null =>
  reachedOf(draft).find((key) => key !== 'turns') ?? null;

/** Why the turn under way is asked to end. */
export const limitNotice = (draft: Draft, reached: keyof Measured): string =>
  `The turn is asked to end: ${sayReached(draft, reached)}.`;

/**
 * Why the session takes no further instruction, with what to do; null while no limit is reached.
 * `asked` is the limit for which the last turn was asked to end, by what it showed so far.
 */
export function limitSentence(draft: Draft, asked: keyof Measured | null): string | null {
  const reached = reachedOf(draft)[0] ?? asked;
  if (reached === null) return null;
  const said = sayReached(draft, reached);
  const begin =
    reachedOf(draft).length > 0
      ? `${said.charAt(0).toUpperCase()}${said.slice(1)}`
      : `The last turn was stopped when it seemed to reach a limit, and ${said}`;
  return `${begin}, so it takes no further instruction. Launch a new one with a higher limit to go on.`;
}

function reachedOf({ state, nowMs }: Draft): (keyof Measured)[] {
  const { limits } = state.launch;
  if (!limits) return [];
  const come = measuredBy(state, nowMs);
  return KEYS.filter((key) => come[key] >= (limits[key] ?? Infinity));
}

function sayReached({ state, nowMs }: Draft, key: keyof Measured): string {
  const come = sayAmount(UNITS[key], measuredBy(state, nowMs)[key]);
  return `the session has come to ${come} of its limit of ${sayAmount(UNITS[key], state.launch.limits?.[key] ?? 0)}`;
}
