import { sayAmount } from '../../protocol/shared-budget.ts';
import { type Measured, measuredBy } from './measures.ts';
import { emit, patch, type Draft } from './session-io.ts';

const UNITS = { tokens: 'tokens', turns: 'turns', timeMs: 'time' } as const;
const KEYS = Object.keys(UNITS) as (keyof Measured)[];

/** Parts of a limit at which the person is told, in percent. */
const MARKS = [50, 80, 95] as const;

/** Says once of each limit in tokens, turns or time that a part of it is used. */
export function warnOfLimits(draft: Draft): void {
  const { limits } = draft.state.launch;
  if (!limits) return;
  const come = measuredBy(draft.state, draft.nowMs);
  for (const key of KEYS) {
    const limit = limits[key];
    if (limit === null) continue;
    const { limitsTold = {} } = draft.state;
    const mark = MARKS.findLast((percent) => come[key] * 100 >= limit * percent);
    if (mark === undefined || mark <= (limitsTold[key] ?? 0)) continue;
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

/** Why the turn under way is asked to end; null while no limit is reached. Turns end by themselves. */
export function limitNotice(draft: Draft): string | null {
  const reached = reachedOf(draft).find((key) => key !== 'turns');
  return reached ? `The turn is asked to end: ${sayReached(draft, reached)}.` : null;
}

/** Why the session takes no further instruction, with what to do; null while no limit is reached. */
export function limitSentence(draft: Draft): string | null {
  const [reached] = reachedOf(draft);
  if (!reached) return null;
  const said = sayReached(draft, reached);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}, so it takes no further instruction. Launch a new one with a higher limit to go on.`;
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
