import type { Breach } from '../../protocol/breach.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { modeOf } from '../../protocol/launch.ts';
import { describeMove } from '../../protocol/witness.ts';
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
  const { sessionId, watched, launch, guarded = false } = draft.state;
  const { claims = [], allowed = [], made = [], passed = [] } = watched ?? {};
  if (!report) {
    patch(draft, { watched: afterLook(watched) });
    return NOTHING_SEEN;
  }
  // In a terminal nothing is told, whatever the engine tells otherwise.
  const tellsActs = draft.config.capabilities.acts !== 'none' && turnId !== watched?.untold;
  const fresh = withoutTold(report, watched?.told ?? []);
  const guard = { passed, sees: tellsActs && guarded && modeOf(launch) !== 'pilot' };
  const joined = joinReport({ sessionId, turnId, report: fresh, claims, tellsActs, guard });
  const { moves, settled, beside } = joined;
  patch(draft, { watched: afterLook(watched, listMade(moves), report.moves.map(keyOf)) });
  const request = { turnId, report: fresh, moves, claims, settled, allowed };
  const breaches = findBreaches({ ...request, made });
  const asked = findBreaches({ ...request, made, moves: beside, claims: [] });
  return { events: [...joined.events, ...asked.map(askAbout)], breaches };
}

/**
 * What the policy forbids the session, and nobody knows whether the session did: told to the person,
 * who knows what they did themselves, with how it is taken back.
 */
function askAbout({ move, rule, undo }: Breach): EngineEvent {
  const where = undo.directory === null ? '' : ` in ${undo.directory}`;
  const steps = undo.commands.map((each) => `\`${each}\``).join(', then ');
  const message = `${move ? describeMove(move) : 'A ref moved'}. ${rule} If it was you, nothing is to be done. If not, stop the session, and put it back${where} with ${steps}.`;
  return { type: 'notice/raised', level: 'warning', code: 'moved_beside', message };
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
