import { phaseOf } from '../../../protocol/session.ts';
import { TAKEN_OVER } from './words.ts';
import { end, follow, goOn, goOnRested, hold, think } from './moves.ts';
import { waitOutRefusal } from './refusals.ts';
import type { Observation, PilotState } from './state.ts';

/** Decides what a look at the session means. Hands back the same state where it means nothing. */
export function decideObserved(state: PilotState, seen: Observation, at: number): PilotState {
  const over = sessionOver(seen);
  if (over !== null) return end(state, 'stopped', over);
  switch (state.status) {
    case 'waiting_turn':
      return decideTurn(state, seen, at);
    case 'waiting_until':
      return decideTime(state, seen, at);
    case 'waiting_person':
      return decideHeld(state, seen, at);
    case 'deciding':
    case 'instructing':
    case 'judging':
    case 'paused':
    case 'finished':
    case 'stopped':
    case 'failed':
      return state;
    default:
      return state.status satisfies never;
  }
}

/** A session that a person stopped, or that came to its end, takes its Pilot along. */
function sessionOver({ session, sessionReason }: Observation): string | null {
  if (session !== 'stopped' && session !== 'finished') return null;
  return `The session was ${session}${sessionReason ? `: ${sessionReason}` : ''}`;
}

/** What stands in the way of everything, whatever was waited for. */
function obstacle(state: PilotState, seen: Observation, at: number): PilotState | null {
  const blocked = blockedBy(state, seen, at);
  return blocked && { ...blocked, heldFor: saidOf(seen) };
}

const saidOf = ({ sessionReason }: Observation): string => sessionReason ?? '';

function blockedBy(state: PilotState, seen: Observation, at: number): PilotState | null {
  if (seen.session === 'halted')
    return hold(state, 'halted', seen.sessionReason ?? 'The session is halted.');
  if (phaseOf(seen.session) === 'ended')
    return hold(
      state,
      'gone',
      `The session ended by itself: ${seen.sessionReason ?? 'no reason is known.'} Retry it, and the Pilot goes on.`,
    );
  if (phaseOf(seen.session) === 'failed')
    return (
      waitOutRefusal(state, seen, at, true) ??
      hold(
        state,
        'gone',
        `${seen.sessionReason ?? 'The session did not start.'} Retry it, and the Pilot goes on.`,
      )
    );
  return seen.takenOver ? hold(state, 'takeover', TAKEN_OVER) : null;
}

function decideTurn(state: PilotState, seen: Observation, at: number): PilotState {
  const blocked = obstacle(state, seen, at);
  if (blocked) return blocked;
  if (state.open === null) return think(state);
  switch (seen.turn) {
    case 'none':
    case 'accepted':
    case 'started':
      break;
    case 'ended':
      // Another turn that runs or waits belongs to the same work: what it did is judged with it.
      if (!seen.busy) return judge(state, state.open);
      break;
    case 'absent':
    case 'undelivered':
      return resend(state);
    case 'unknown':
      return hold(
        { ...state, open: null },
        'question',
        'The instruction was handed over and never confirmed, so it is not sent again by itself. Look at the transcript, then resume.',
      );
    default:
      return seen.turn satisfies never;
  }
  if (at >= state.deadlineAt) return end(state, 'stopped', OUT_OF_TIME, { interrupt: true });
  const reason = reasonOf(seen);
  return reason === state.reason ? state : follow(state, reason);
}

/** What is waited for. Whom it waits for is told at the session, where it is answered. */
function reasonOf({ session, sessionReason, asks }: Observation): string {
  if (session === 'blocked')
    return `${sessionReason ?? 'The engine waits for something outside of its protocol.'} Answer it on the session’s page, or take the session over; the Pilot goes on by itself.`;
  return asks ? 'The engine waits for an answer to its request.' : 'The engine works.';
}

const judge = (state: PilotState, turnId: NonNullable<PilotState['open']>): PilotState => ({
  ...state,
  status: 'judging',
  reason: 'What the turn did is read.',
  effect: { do: 'judge', turnId },
});

/** An instruction that certainly reached no engine is handed over again, under its own id. */
function resend(state: PilotState): PilotState {
  if (state.open === null) return think(state);
  if (state.attempt >= state.spec.bounds.maxDecisionRetries)
    return hold(
      { ...state, open: null },
      'question',
      'The instruction did not reach the engine. Look at the machine, then resume.',
    );
  return {
    ...state,
    status: 'instructing',
    reason: 'The instruction did not arrive and is handed over again.',
    attempt: state.attempt + 1,
    effect: { do: 'instruct', turnId: state.open, text: state.instruction },
  };
}

function decideTime(state: PilotState, seen: Observation, at: number): PilotState {
  if (at >= state.deadlineAt) return end(state, 'stopped', OUT_OF_TIME, { interrupt: true });
  const failed = phaseOf(seen.session) === 'failed';
  const blocked = failed && state.refused ? null : obstacle(state, seen, at);
  if (blocked) return blocked;
  const until = state.effect?.do === 'await' ? state.effect.until : null;
  if (until !== null && at < until) return state;
  const rested = { ...state, refused: false };
  if (!failed) return goOnRested(rested);
  return {
    ...state,
    refused: false,
    reason: 'The conversation is launched again.',
    effect: { do: 'revive' },
  };
}

/** What a person did at the session itself lifts what was waited for. */
function decideHeld(state: PilotState, seen: Observation, at: number): PilotState {
  const phase = phaseOf(seen.session);
  const alive = phase === 'active' || phase === 'launching';
  switch (state.hold) {
    case 'takeover':
      return alive && !seen.takenOver ? goOnRested({ ...state, away: null }) : state;
    case 'gone':
    case 'halted':
      if (alive && seen.session !== 'halted' && !seen.takenOver) return goOn(state);
      return saysOther(state, seen) ? (obstacle(state, seen, at) ?? state) : state;
    case 'proposal':
      // Nobody can say yes to it now; what is proposed after the halt knows of it.
      return seen.session === 'halted' ? (obstacle(state, seen, at) ?? state) : state;
    case 'question':
    case null:
      return state;
    default:
      return state.hold satisfies never;
  }
}

/** A retry that fails too may fail for another reason: a person is told that one. */
const saysOther = ({ heldFor = null }: PilotState, seen: Observation): boolean =>
  heldFor !== null && heldFor !== saidOf(seen);

const OUT_OF_TIME = 'The time that it was given is over.';
