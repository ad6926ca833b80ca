import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { PushCommand } from '../gate/policy.ts';
import { claimOf, MAX_CLAIMS, type Claim } from './claims.ts';

/** What a session remembers between two comparisons of refs. */
export type Watched = {
  /** When the first turn since the last comparison began, in Unix ms; null while there was none. */
  since: number | null;
  claims: readonly Claim[];
  /** The last turn that told no acts at all, such as one in a person's terminal. */
  untold?: TurnId;
  /** Tool calls that wait for an answer, by request, and those that a person allowed. */
  asked?: Readonly<Record<string, string>>;
  allowed?: readonly string[];
  /** The moves that the last comparison found, for one that is repeated after a crash. */
  told?: readonly string[];
  /** Refs of remotes that the session itself made, as `place ref`. */
  made?: readonly string[];
  /**
   * What the guard of an open session let go since the last comparison; `late` since the one before,
   * because a push may be under way while refs are compared.
   */
  passed?: readonly Passed[];
};

/** A ref of a push that the guard let go; what became of it, it does not know. */
export type Passed = PushCommand & { late?: true };

/** Of a mirror's thousand refs the first are enough to know it by. */
const MAX_TOLD = 500;

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
    case 'approval/requested': {
      const { requestId, toolId } = event.request;
      if (toolId === null) return watched;
      return { ...before, asked: { ...before.asked, [requestId]: toolId } };
    }
    case 'approval/resolved': {
      const { [event.requestId]: toolId, ...asked } = before.asked ?? {};
      if (toolId === undefined) return watched;
      if (event.resolution !== 'allowed') return { ...before, asked };
      return { ...before, asked, allowed: [...(before.allowed ?? []), toolId].slice(-MAX_CLAIMS) };
    }
    default:
      return watched;
  }
}

/** Remembers what the guard let go. Pure. */
export const notePassed = (
  watched: Watched | undefined,
  passed: readonly PushCommand[],
): Watched => {
  const before = watched ?? NOTHING_YET;
  return { ...before, passed: [...(before.passed ?? []), ...passed].slice(-MAX_CLAIMS) };
};

/** After a comparison: what is still under way may yet move something. */
export function afterLook(
  watched: Watched = NOTHING_YET,
  made: readonly string[] = [],
  told: readonly string[] = [],
): Watched {
  const { claims, asked, allowed = [], passed = [] } = watched;
  const open = claims.filter(({ outcome }) => outcome === null);
  const tools = new Set(open.map(({ toolId }) => toolId));
  return {
    since: null,
    claims: open,
    ...(asked && Object.keys(asked).length > 0 && { asked }),
    ...nonEmpty(
      'allowed',
      allowed.filter((toolId) => tools.has(toolId)),
    ),
    ...nonEmpty(
      'passed',
      passed.flatMap((each) => (each.late ? [] : [{ ...each, late: true as const }])),
    ),
    ...nonEmpty('told', told.slice(0, MAX_TOLD)),
    ...nonEmpty('made', [...new Set([...(watched.made ?? []), ...made])].slice(-MAX_CLAIMS)),
  };
}

/** Stored with the session after each turn, so without what is empty. */
const nonEmpty = (key: 'allowed' | 'made' | 'told' | 'passed', list: readonly unknown[]) =>
  list.length > 0 ? { [key]: list } : {};
