import type { Breach } from '../../protocol/breach.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { findBreaches, listMade } from '../witness/breaches.ts';
import { joinReport, type WitnessReport } from '../witness/join.ts';
import { afterLook } from '../witness/watch.ts';
import { patch, type Draft } from './session-io.ts';

/** What a comparison comes to: what is to be told, and what of it the policy forbids. */
export type Seen = { events: readonly EngineEvent[]; breaches: readonly Breach[] };

export const NOTHING_SEEN: Seen = { events: [], breaches: [] };

/**
 * The refs were compared after a turn, or after a person drove: what moved becomes acts, joined
 * with what was told of it, and judged.
 */
export function witnessed(draft: Draft, turnId: TurnId, report: WitnessReport | null): Seen {
  const { sessionId, watched } = draft.state;
  const { claims = [], allowed = [], made = [] } = watched ?? {};
  if (!report) {
    patch(draft, { watched: afterLook(watched) });
    return NOTHING_SEEN;
  }
  // In a terminal nothing is told, whatever the engine tells otherwise.
  const tellsActs = draft.config.capabilities.acts !== 'none' && turnId !== watched?.untold;
  const { events, moves, settled } = joinReport({ sessionId, turnId, report, claims, tellsActs });
  const mine = listMade(moves);
  patch(draft, { watched: afterLook(watched, mine) });
  const request = { turnId, report, moves, claims, settled, allowed };
  const breaches = findBreaches({ ...request, made });
  return { events, breaches };
}
