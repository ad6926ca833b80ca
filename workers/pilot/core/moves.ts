import type { Hold, PilotState } from './state.ts';

type Unsent = NonNullable<PilotState['unsent']>;

/** Ways from one status to the next. Each says why, and what the driver does now. */

/** Asks the brain for the next step. */
export const think = (
  state: PilotState,
  {
    attempt = 0,
    problem = null,
    away = null,
  }: { attempt?: number; problem?: string | null; away?: PilotState['away'] | undefined } = {},
): PilotState => ({
  ...state,
  ...FREE,
  away,
  status: 'deciding',
  reason: problem ?? 'The next step is being decided.',
  attempt,
  effect: { do: 'brain', attempt, problem, step: state.step },
});

/** Hands a decided instruction over as its turn. */
export const send = (state: PilotState, unsent: Unsent): PilotState => ({
  ...state,
  ...FREE,
  status: 'instructing',
  reason: 'The instruction is handed over.',
  turns: state.turns + 1,
  instruction: unsent.text,
  open: unsent.turnId,
  attempt: 0,
  effect: { do: 'instruct', ...unsent },
});

/** Waits for the turn that is under way. */
export const follow = (state: PilotState, reason = 'The engine works.'): PilotState => ({
  ...state,
  ...FREE,
  status: 'waiting_turn',
  reason,
  effect: { do: 'await', until: state.deadlineAt },
});

/** Waits for a person. What is decided and unsent outlives a person who only drives meanwhile. */
export const hold = (
  state: PilotState,
  why: Hold,
  reason: string,
  proposal: string | null = null,
): PilotState => ({
  ...state,
  ...FREE,
  unsent: why === 'takeover' ? (state.unsent ?? null) : null,
  status: 'waiting_person',
  reason,
  hold: why,
  proposal,
  pauseNext: false,
  effect: { do: 'await', until: null },
});

/** Waits for a time, Unix ms, but never beyond the deadline; `unsent` is handed over after it. */
export const waitUntil = (
  state: PilotState,
  until: number,
  reason: string,
  unsent: Unsent | null = null,
): PilotState => ({
  ...state,
  ...FREE,
  unsent,
  status: 'waiting_until',
  reason,
  effect: { do: 'await', until: Math.min(until, state.deadlineAt) },
});

/** Does nothing until a person says so; what is decided and unsent stays that. */
export const pause = (state: PilotState): PilotState => ({
  ...state,
  ...FREE,
  unsent: state.unsent ?? null,
  pauseNext: false,
  status: 'paused',
  reason: 'Paused by a person. A turn that runs goes on; nothing more is sent.',
  effect: { do: 'await', until: null },
});

/** The end of the run. `interrupt` ends a turn that may still run. */
export const end = (
  state: PilotState,
  status: 'finished' | 'stopped' | 'failed',
  reason: string,
  { interrupt = false }: { interrupt?: boolean } = {},
): PilotState => ({
  ...state,
  ...FREE,
  pauseNext: false,
  status,
  reason,
  effect: interrupt && state.open !== null ? { do: 'interrupt' } : null,
});

/** Goes on with whatever is next: the open turn, or a decision. */
export const goOn = (state: PilotState): PilotState =>
  state.open === null ? think(state) : follow(state);

/** Goes on after a wait: with what was decided before it, or with the same question once more. */
export function goOnRested(state: PilotState): PilotState {
  if (state.open !== null) return follow(state);
  return state.unsent ? send(state, state.unsent) : think(state, { away: state.away });
}

const FREE = { hold: null, heldFor: null, proposal: null, unsent: null } as const;
