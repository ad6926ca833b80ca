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
  const fresh = withoutTold(report, watched?.told ?? []);
  const joined = joinReport({ sessionId, turnId, report: fresh, claims, tellsActs });
  const { events, moves, settled } = joined;
  patch(draft, { watched: afterLook(watched, listMade(moves), report.moves.map(keyOf)) });
  const request = { turnId, report: fresh, moves, claims, settled, allowed };
  const breaches = findBreaches({ ...request, made });
  return { events, breaches };
}

const keyOf = ({ move: { place, ref, before, after } }: WitnessReport['moves'][number]): string =>
  [place, ref, before, after].join(' ');

/**
 * The last comparison is made again when the runner ended before it was noted where it left off.
 * What it told is told; no later one finds the same, for it begins where this one ended.
 */
function withoutTold(report: WitnessReport, told: readonly string[]): WitnessReport {
  if (told.length === 0) return report;
  const known = new Set(told);
  return { ...report, moves: report.moves.filter((each) => !known.has(keyOf(each))) };
}
