import { isPilotOver } from '../../../protocol/pilot.ts';
import { goOnAnew } from './anew.ts';
import { decideAsk, isStanding, refusalOf } from './asks.ts';
import { decideBrain } from './brain-rules.ts';
import { follow, hold, pause, think, waitUntil } from './moves.ts';
import { decideObserved } from './observed.ts';
import { decideJudged } from './judged.ts';
import type { PilotEvent, PilotState } from './state.ts';
import { TAKEN_OVER } from './words.ts';

/**
 * The Pilot as a whole: what an event makes of a state. Pure; the driver does what `effect` says
 * and comes back with an event. A state that is handed back itself is not a step.
 */
export function decide(state: PilotState, event: PilotEvent): PilotState {
  if (isPilotOver(state.status)) return settleOver(state, event);
  const next = step(state, event);
  if (next === state) return state;
  const moved = { ...next, step: state.step + 1 };
  const since = next.status === state.status ? state.since : event.at;
  // Nobody's time is used up while asleep.
  const waited = isStanding(state) && !isStanding(next) ? Math.max(0, event.at - state.since) : 0;
  return withDeadline({ ...moved, since }, waited);
}

function withDeadline(state: PilotState, waited: number): PilotState {
  if (waited === 0) return state;
  const deadlineAt = state.deadlineAt + waited;
  const effect =
    state.effect?.do === 'await' && state.effect.until === state.deadlineAt
      ? { ...state.effect, until: deadlineAt }
      : state.effect;
  return { ...state, deadlineAt, effect };
}

/** A run that is over has at most its last turn left to end. */
function settleOver(state: PilotState, event: PilotEvent): PilotState {
  if (state.effect === null || (event.type !== 'done' && event.type !== 'broke')) return state;
  return { ...state, step: state.step + 1, effect: null };
}

function step(state: PilotState, event: PilotEvent): PilotState {
  // What is done in a step is told of with the step that follows: the numbers must agree.
  const at = { ...state, step: state.step + 1 };
  const back = (next: PilotState): PilotState => (next === at ? state : next);
  switch (event.type) {
    case 'began':
      return state;
    case 'observed':
      return back(decideObserved(at, event.seen, event.at));
    case 'judged':
      return state.status === 'judging' ? decideJudged(at, event.facts, event.at) : state;
    case 'decided':
    case 'undecided':
    case 'unavailable':
      return state.status === 'deciding' ? decideBrain(at, event) : state;
    case 'instructed':
      if (state.effect?.do !== 'instruct' || state.effect.turnId !== event.turnId) return state;
      return state.pauseNext ? pause(at) : follow(at);
    case 'refused':
      if (state.effect?.do !== 'instruct' || state.effect.turnId !== event.turnId) return state;
      return refuseInstruction(at, event);
    case 'done':
      if (state.effect?.do === 'anew') return goOnAnew(at, event.refused !== undefined);
      if (state.effect?.do !== 'revive') return state;
      return event.refused
        ? unrevived(at, event.refused, event.at)
        : follow(at, 'The conversation is launched again.');
    case 'broke':
      return hold(
        at,
        'question',
        `Something failed on our side, more than once: ${event.message} Resume tries again.`,
      );
    case 'asked':
      return refusalOf(state, event.ask) === null ? back(decideAsk(at, event.ask)) : state;
    default:
      return event satisfies never;
  }
}

/** How long a machine is left alone that was away when a conversation was to be launched again, in ms. */
const AWAY_MS = 60_000;

/**
 * The conversation would not be launched again: a machine is waited for, and a budget that renews.
 * Where there is nothing to launch, a person has. Whatever else asks a person.
 */
function unrevived(
  state: PilotState,
  { code, message, againAt = null }: { code: string; message: string; againAt?: number | null },
  at: number,
): PilotState {
  const until = code === 'runner_offline' ? at + AWAY_MS : againAt;
  if (until !== null) return waitUntil({ ...state, refused: true }, until, message);
  if (code === 'nothing_to_retry') return follow(state);
  return hold(state, 'gone', `The conversation could not be launched again: ${message}`);
}

/** The session would not take the instruction: it certainly did not arrive. */
function refuseInstruction(
  state: PilotState,
  { turnId, code, message, againAt = null }: Extract<PilotEvent, { type: 'refused' }>,
): PilotState {
  const free = { ...state, open: null, turns: state.turns - 1 };
  const unsent = { turnId, text: state.instruction };
  if (state.pauseNext) return pause({ ...free, unsent });
  if (code === 'taken_over') return hold({ ...free, unsent }, 'takeover', TAKEN_OVER);
  if (code === 'session_halted') return hold(free, 'halted', message);
  if (code === 'budget_exhausted')
    return againAt === null
      ? hold(free, 'question', message)
      : waitUntil(free, againAt, message, unsent);
  if (code === 'session_ended' || code === 'session_not_ready') return hold(free, 'gone', message);
  if (state.attempt >= state.spec.bounds.maxDecisionRetries) return hold(free, 'question', message);
  return think(free, { attempt: state.attempt + 1, problem: message });
}
