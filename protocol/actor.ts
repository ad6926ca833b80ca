import { type ActorId, GITHUB_ACTOR, LOCAL_ACTOR, PILOT_ACTOR, type TurnId } from './ids.ts';
import type { SessionView } from './session-view.ts';

/** Who an actor is, in a word or two, to the person that is `you`: ids are for programs. */
export function sayActor(actorId: string, you = 'you'): string {
  switch (actorId) {
    case LOCAL_ACTOR:
      return you;
    case PILOT_ACTOR:
      return 'the Pilot';
    case GITHUB_ACTOR:
      return 'GitHub';
    default:
      return actorId;
  }
}

/** Who gave the instruction, and for whom where that was no person. */
export type Doer = {
  actorId: ActorId;
  /** Whose session or operator it is; null where that is the same. */
  behalfOf: ActorId | null;
};

type SaidDoer = { actorId: string; behalfOf: string | null; sessionId?: string };

/** `you`, `the Pilot for you`, `an operator for you`. */
export function sayDoer({ actorId, behalfOf, sessionId = '' }: SaidDoer, you = 'you'): string {
  if (sessionId.startsWith('ins_')) return `an operator for ${sayActor(behalfOf ?? actorId, you)}`;
  const who = sayActor(actorId, you);
  return behalfOf === null ? who : `${who} for ${sayActor(behalfOf, you)}`;
}

/**
 * Who holds the instruction under which something was done in a turn: whoever gave it, or drives in
 * the terminal; for a turn that the engine began by itself, whoever gave the one before. What was
 * done in no turn is the session's, and so whose that is. Pure.
 */
export function doerOf(
  { turns, actorId: owner }: Pick<SessionView, 'turns' | 'actorId'>,
  turnId: TurnId | null,
): Doer {
  const at = turnId === null ? -1 : turns.findIndex((turn) => turn.turnId === turnId);
  const given = turns.slice(0, at + 1).findLast((turn) => turn.actorId !== null);
  const actorId = given?.actorId ?? owner;
  return { actorId, behalfOf: actorId === owner ? null : owner };
}
