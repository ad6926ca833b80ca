import type { EngineEvent, EventOf } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { halt } from './halt.ts';
import { patch, type Draft } from './session-io.ts';

/**
 * Asks of the first completed turn the records that its engine promises: its end is there, what it
 * used and what it did must be. Halts where one is missing.
 */
export function proveRecords(draft: Draft, event: EventOf<'turn/ended'>): 'proven' | 'halted' {
  const { recordsProven, launch } = draft.state;
  if (recordsProven) return 'proven';
  const unmeasured = isUnmeasured(draft, event);
  const missing = missingRecord(draft, event, unmeasured);
  if (missing) {
    const measured = launch.conversation !== null && missing === 'what it cost';
    halt(draft, 'missing_records', measured ? UNMEASURED_AGAIN : describeMissing(missing));
    return 'halted';
  }
  const actless = draft.config.capabilities.acts !== 'none' && draft.state.toolTold === false;
  const proof = unmeasured ? { unmeasuredTurn: event.turnId } : { recordsProven: true };
  patch(draft, { ...proof, actlessTurn: actless ? event.turnId : null });
  return 'proven';
}

/**
 * The first turn of a conversation that was begun by hand, of an engine that tells totals: what the
 * total was before is nowhere on record, so that only the next turn's share of it can be told.
 */
function isUnmeasured({ state }: Draft, { turnId, usage }: EventOf<'turn/ended'>): boolean {
  const { launch, unmeasuredTurn = turnId } = state;
  return launch.conversation !== null && usage === 'unsettled' && unmeasuredTurn === turnId;
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

function missingRecord(
  draft: Draft,
  event: EventOf<'turn/ended'>,
  unmeasured: boolean,
): Missing | null {
  const { usage, acts } = draft.config.capabilities;
  if (usage !== 'none' && event.usage !== 'recorded' && !unmeasured) return 'what it cost';
  return acts !== 'none' && event.acts === 'unobservable' ? 'what it did' : null;
}

const describeMissing = (what: Missing): string =>
  `The first turn ended without a record of ${what}, although this engine reports it. The session is halted, because it would spend or act unseen. Check the engine’s version with the doctor, then launch again.`;

const UNMEASURED_AGAIN =
  'Two turns of this conversation, which was begun by hand, ended without a record of what they cost, although this engine reports it. The session is halted, because it would spend unseen. Begin a new conversation with its record: Go on elsewhere on its page, or `pilothouse launch --from` with its id.';
