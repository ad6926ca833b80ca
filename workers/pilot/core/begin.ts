import type { PilotEvent, PilotState } from './state.ts';

/** The first state of a run: the launch itself gave the first instruction. */
export function begin(event: Extract<PilotEvent, { type: 'began' }>): PilotState {
  const { sessionId, spec, objective, turnId, at } = event;
  const deadlineAt = at + spec.bounds.maxWallMs;
  return {
    sessionId,
    spec,
    objective,
    status: 'waiting_turn',
    reason: 'The engine works on its first instruction.',
    step: 1,
    turns: 1,
    open: turnId,
    instruction: objective,
    attempt: 0,
    marks: [],
    hold: null,
    proposal: null,
    refused: false,
    refusals: 0,
    pauseNext: false,
    deadlineAt,
    position: 0,
    since: at,
    effect: { do: 'await', until: deadlineAt },
  };
}
