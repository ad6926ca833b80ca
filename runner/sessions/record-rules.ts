import type { EngineEvent, EventOf } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { halt } from './halt.ts';
import { patch, type Draft } from './session-io.ts';

/**
 * Asks of the first completed turn the records that its engine promises: its end is there, what it
 * used and what it did must be. Halts where one is missing.
 */
export function proveRecords(draft: Draft, event: EventOf<'turn/ended'>): 'proven' | 'halted' {
  if (draft.state.recordsProven) return 'proven';
  const missing = missingRecord(draft, event);
  if (missing) {
    halt(draft, 'missing_records', describeMissing(missing));
    return 'halted';
  }
  const actless = draft.config.capabilities.acts !== 'none' && draft.state.toolTold === false;
  patch(draft, { recordsProven: true, actlessTurn: actless ? event.turnId : null });
  return 'proven';
}

/**
 * A turn that tells of no tool call did nothing, or its engine hides what it does. Commits or
 * refs that moved all the same decide: the next turn would act unseen too. `last`: nothing more
 * is looked at for this turn.
 */
export function proveActs(draft: Draft, events: readonly EngineEvent[], last: boolean): void {
  const { actlessTurn } = draft.state;
  if (!actlessTurn) return;
  const unseen = events.some((event) => isWorkOf(event, actlessTurn));
  if (!unseen && !last) return;
  patch(draft, { actlessTurn: null });
  if (unseen && !draft.state.halted) halt(draft, 'missing_records', describeMissing('what it did'));
}

function isWorkOf(event: EngineEvent, turnId: TurnId): boolean {
  if (event.type === 'checkout/broughtBack') return event.turnId === turnId && event.commits > 0;
  if (event.type !== 'act/seen' || event.act.turnId !== turnId) return false;
  // A person may commit beside the session, in the repository that they share.
  return event.act.witness !== 'stream' && event.act.kind !== 'commit';
}

type Missing = 'what it cost' | 'what it did';

function missingRecord(draft: Draft, event: EventOf<'turn/ended'>): Missing | null {
  const { usage, acts } = draft.config.capabilities;
  if (usage !== 'none' && event.usage !== 'recorded') return 'what it cost';
  return acts !== 'none' && event.acts === 'unobservable' ? 'what it did' : null;
}

const describeMissing = (what: Missing): string =>
  `The first turn ended without a record of ${what}, although this engine reports it. The session is halted, because it would spend or act unseen. Check the engine’s version with the doctor, then launch again.`;
