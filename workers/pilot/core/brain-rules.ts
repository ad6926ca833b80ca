import type { Evidence, PilotDecision } from '../../../protocol/pilot.ts';
import { failingOf, markFailing, stallOf } from './loop-breaker.ts';
import { whyAnew } from './anew.ts';
import { instruct } from './instruct.ts';
import { end, hold, think, waitUntil } from './moves.ts';
import { type PilotEvent, type PilotState, questionOf } from './state.ts';

/** Longest time that a brain may ask to wait for at once, in ms. */
const WAIT_MAX_MS = 8 * 24 * 3_600_000;

type BrainEvent = Extract<PilotEvent, { type: 'decided' | 'undecided' | 'unavailable' }>;

/** Decides what an answer of the brain leads to; a bad one is asked for again, within bounds. */
export function decideBrain(asked: PilotState, event: BrainEvent): PilotState {
  // Once it is answered the question is over: what is asked after a turn is another one.
  const answered = event.type !== 'unavailable' || !event.away;
  const state = answered && asked.away ? { ...asked, away: null } : asked;
  switch (event.type) {
    case 'unavailable':
      if (event.away) return waitForMachine(state, event);
      return event.retryAt === null
        ? hold(state, 'question', event.reason)
        : waitUntil(state, event.retryAt, event.reason);
    case 'undecided':
      return again(state, event.problem);
    case 'decided': {
      if (event.at >= state.deadlineAt)
        return end(state, 'stopped', 'The time that it was given is over.');
      const problem = faultOf(event.decision, event.witnessed, event.at);
      return problem === null ? take(state, event) : again(state, problem);
    }
    default:
      return event satisfies never;
  }
}

/** First and longest time until a machine that is away is asked again, in ms. */
const AWAY_FIRST_MS = 5_000;
const AWAY_MAX_MS = 60_000;

/** Puts the same question again later, soon at first. */
function waitForMachine(
  state: PilotState,
  { at, reason }: Extract<BrainEvent, { type: 'unavailable' }>,
): PilotState {
  // This event makes the next step: a question without a number of its own was put in the one before.
  const { step, times } = state.away ?? {
    step: questionOf({ ...state, step: state.step - 1 }),
    times: 0,
  };
  const until = at + Math.min(AWAY_FIRST_MS * 3 ** times, AWAY_MAX_MS);
  return { ...waitUntil(state, until, reason), away: { step, times: times + 1 } };
}

/** What makes a well-formed decision one that is not followed; null for a good one. */
export function faultOf(
  decision: PilotDecision,
  witnessed: readonly Evidence[],
  at: number,
): string | null {
  if (decision.next === 'finish') {
    if (witnessed.length === 0) return 'It wanted to finish, and nothing that was run proves it.';
    const failing = witnessed.find(({ passed }) => !passed);
    return failing ? `It wanted to finish, and “${failing.title}” fails.` : null;
  }
  if (decision.next === 'wait_until' && (decision.until <= at || decision.until - at > WAIT_MAX_MS))
    return 'It wanted to wait for a time that is past, or too far away.';
  return null;
}

function again(state: PilotState, problem: string): PilotState {
  if (state.attempt >= state.spec.bounds.maxDecisionRetries)
    return hold(
      state,
      'question',
      `No usable decision came, ${state.attempt + 1} times. ${problem}`,
    );
  return think(state, { attempt: state.attempt + 1, problem });
}

function take(
  state: PilotState,
  { decision, witnessed }: Extract<BrainEvent, { type: 'decided' }>,
): PilotState {
  switch (decision.next) {
    case 'finish':
      return end(state, 'finished', decision.reason);
    case 'ask_human':
      return hold(state, 'question', decision.reason);
    case 'wait_until':
      return waitUntil(state, decision.until, decision.reason);
    case 'instruct': {
      const marked = { ...state, marks: markFailing(state.marks, failingOf(witnessed)) };
      const stall = stallOf(marked.marks, state.spec.bounds.stallTurns);
      if (stall !== null)
        return hold(
          { ...marked, marks: [] },
          'question',
          `${stall} Change the objective, or resume.`,
        );
      if (state.spec.mode !== 'co_pilot') return instruct(marked, decision.instruction);
      const why = whyAnew(marked);
      const reason = why === null ? decision.reason : `${decision.reason} ${why}`;
      return hold(marked, 'proposal', reason, decision.instruction);
    }
    default:
      return decision satisfies never;
  }
}
