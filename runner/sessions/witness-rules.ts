import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { joinReport, type WitnessReport } from '../witness/join.ts';
import { afterLook } from '../witness/watch.ts';
import { patch, type Draft } from './session-io.ts';

/**
 * The refs were compared after a turn, or after a person drove: what moved becomes acts, joined
 * with what was told of it. Returns what is to be told.
 */
export function witnessed(
  draft: Draft,
  turnId: TurnId,
  report: WitnessReport | null,
): EngineEvent[] {
  const { sessionId, watched } = draft.state;
  const claims = watched?.claims ?? [];
  patch(draft, { watched: afterLook(watched) });
  if (!report) return [];
  // In a terminal nothing is told, whatever the engine tells otherwise.
  const tellsActs = draft.config.capabilities.acts !== 'none' && turnId !== watched?.untold;
  return joinReport({ sessionId, turnId, report, claims, tellsActs });
}
