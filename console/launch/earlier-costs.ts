import type { SessionSummary } from '../../protocol/http.ts';
import type { SessionState } from '../../protocol/session.ts';
import type { SpendTotals } from '../../protocol/usage.ts';
import { plural } from '../format/count.ts';
import { formatMoney } from '../format/money.ts';

/** Fewer say nothing of the next one; more are of another time. */
const LEAST = 3;
const MOST = 20;

/** Its figure grows while it works. */
const UNDER_WAY: ReadonlySet<SessionState> = new Set([
  'queued',
  'spawned',
  'bootstrap_submitted',
  'bootstrap_confirmed',
  'working',
  'awaiting_approval',
  'awaiting_human',
]);

/** What a session came to, and whether somebody paid that; null where a part of it has no figure. */
function costOf(spend: SpendTotals): { microUsd: number; notional: boolean } | null {
  const { reported, estimated, notional, unsettled, unmetered, rehearsal } = spend;
  const known = [reported, estimated, notional].filter((total) => total !== undefined);
  if (unsettled || unmetered || rehearsal || known.length === 0) return null;
  if (known.some(({ unpriced }) => unpriced > 0)) return null;
  const paid = (reported?.microUsd ?? 0) + (estimated?.microUsd ?? 0);
  if (notional && (reported ?? estimated)) return null;
  return notional
    ? { microUsd: notional.microUsd, notional: true }
    : { microUsd: paid, notional: false };
}

type Launched = { runnerId: string; engineId: string; directory: string };

/**
 * Foretells what a session may come to by those that were: of this engine in this directory, each
 * with a whole figure, and only those whose dollars are of one kind with the newest. Null where
 * there are too few. Pure.
 */
export function sayEarlierCosts(
  sessions: readonly SessionSummary[],
  { runnerId, engineId, directory }: Launched,
): string | null {
  const costs = sessions
    .filter((one) => one.runnerId === runnerId && one.engineId === engineId)
    .filter((one) => one.directory === directory && !UNDER_WAY.has(one.state))
    .flatMap(({ spend }) => costOf(spend) ?? []);
  const alike = costs
    .filter(({ notional }) => notional === costs[0]?.notional)
    .slice(0, MOST)
    .map(({ microUsd }) => microUsd)
    .toSorted((one, other) => one - other);
  const [median, most] = [alike[Math.floor((alike.length - 1) / 2)], alike.at(-1)];
  if (alike.length < LEAST || median === undefined || most === undefined) return null;
  const kind = costs[0]?.notional ? ', in notional dollars, which a subscription pays' : '';
  return `Here the last ${plural(alike.length, 'session')} of this engine came to ${formatMoney(median)} at the median and ${formatMoney(most)} at most${kind}.`;
}
