import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { claimOf, MAX_CLAIMS, type Claim } from './claims.ts';

/** What a session remembers between two comparisons of refs. */
export type Watched = {
  /** When the first turn since the last comparison began, in Unix ms; null while there was none. */
  since: number | null;
  claims: readonly Claim[];
  /** The last turn that told no acts at all, such as one in a person's terminal. */
  untold?: TurnId;
};

const NOTHING_YET: Watched = { since: null, claims: [] };

/** Follows what is told of a session, for the next comparison. Pure; the same when nothing counts. */
export function followWatched(
  watched: Watched | undefined,
  event: EngineEvent,
  nowMs: number,
): Watched | undefined {
  const before = watched ?? NOTHING_YET;
  switch (event.type) {
    case 'turn/started':
      return { ...before, since: before.since ?? nowMs };
    case 'turn/ended':
      return event.acts === 'unobservable' ? { ...before, untold: event.turnId } : watched;
    case 'act/seen': {
      const claim = claimOf(event.act);
      return claim ? { ...before, claims: [...before.claims, claim].slice(-MAX_CLAIMS) } : watched;
    }
    case 'act/ended': {
      if (!before.claims.some(({ actId }) => actId === event.actId)) return watched;
      const claims = before.claims.map((claim) =>
        claim.actId === event.actId ? { ...claim, outcome: event.outcome } : claim,
      );
      return { ...before, claims };
    }
    default:
      return watched;
  }
}

/** After a comparison: what is still under way may yet move something. */
export function afterLook({ claims }: Watched = NOTHING_YET): Watched {
  return { since: null, claims: claims.filter(({ outcome }) => outcome === null) };
}
