import type { ProviderFailure } from '../../../protocol/launch.ts';
import { waitUntil } from './moves.ts';
import type { PilotState } from './state.ts';

/** First and longest wait for a provider that did not say when it takes requests again, in ms. */
export const REFUSAL_FIRST_MS = 60_000;
export const REFUSAL_MAX_MS = 3_600_000;
/** Longest window that is waited out without a person, in ms: a subscription's week. */
const RESET_MAX_MS = 8 * 24 * 3_600_000;
/** Past the provider's own time, so that clocks that differ a little do not ask too early, in ms. */
const RESET_MARGIN_MS = 5_000;

const PASSING: ReadonlySet<ProviderFailure> = new Set([
  'rate_limited',
  'quota_exhausted',
  'overloaded',
]);

/** Waits for a provider that refuses for a while; null where waiting would not help. */
export function waitOutRefusal(
  state: PilotState,
  { failure, resetsAt }: { failure: ProviderFailure | null; resetsAt: number | null },
  at: number,
  refused: boolean,
): PilotState | null {
  if (failure === null || !PASSING.has(failure)) return null;
  const known = resetsAt !== null && resetsAt > at && resetsAt - at <= RESET_MAX_MS;
  const backoff = Math.min(REFUSAL_FIRST_MS * 2 ** state.refusals, REFUSAL_MAX_MS);
  const until = known ? resetsAt + RESET_MARGIN_MS : at + backoff;
  const words = known ? 'until it takes requests again' : 'for a while';
  return waitUntil(
    { ...state, refused, refusals: state.refusals + 1 },
    until,
    `The provider refuses (${failure}), which is waited out ${words}.`,
  );
}
