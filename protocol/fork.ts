import { z } from 'zod';
import type { EventOf } from './engine-event.ts';
import { sessionId, turnId } from './ids.ts';
import type { MachineFacts } from './machine.ts';
import type { SessionView, TurnView } from './session-view.ts';

/** Where a launch that goes on from a session forks it. */
export const forkRequest = z.object({
  /** The last turn that the fork has; null is the session as it is, between its turns. */
  turnId: turnId.nullable(),
});
export type ForkRequest = z.infer<typeof forkRequest>;

/** The same as its launch keeps it, found in the record of the session that was forked. */
export const forkPoint = z.object({
  turnId,
  /** Which of that session's turns it is, from 1. */
  number: z.int().positive(),
  /** The first turn that began after it, where the conversation is cut; null where none did. */
  nextTurnId: turnId.nullable(),
  /** Its files as they are now, and not as they were right after that turn. */
  filesNow: z.boolean(),
});
export type ForkPoint = z.infer<typeof forkPoint>;

/** A session that was forked from this one, as its record tells it. */
export const forkedInto = z.object({
  sessionId,
  turnId,
  number: z.int().positive(),
});
export type ForkedInto = z.infer<typeof forkedInto>;

type Forkable = Pick<SessionView, 'turns' | 'openTurnId' | 'checkout'>;

/** Why a session cannot be forked at all, as a sentence; null where it can. Pure. */
export function forkObstacle({ checkout, turns }: Pick<Forkable, 'checkout' | 'turns'>) {
  if (checkout?.mode === 'inPlace')
    return 'It works in your directory itself, of which no earlier state is kept.';
  return checkout && turns.some(({ state }) => state === 'ended')
    ? null
    : 'None of its turns is over yet.';
}

/**
 * Why nothing can be forked on a machine, as a sentence; null where it can, and where the machine has
 * not said anything yet. An older runner would take the launch for one of its own. Pure.
 */
export const forkMachineObstacle = (machine: Pick<MachineFacts, 'forks'> | null): string | null =>
  machine && machine.forks !== true
    ? 'The runner of its machine is of an older version, which cannot fork: update it there.'
    : null;

/**
 * Finds where a session is forked: a turn that is over, by default the newest. What began before
 * that turn was over is a part of it. Null where there is no such turn. Pure.
 */
export function findForkPoint(view: Forkable, asked: ForkRequest): ForkPoint | null {
  const over = view.turns.filter(({ state }) => state === 'ended');
  const turn =
    asked.turnId === null
      ? over.toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0)).at(-1)
      : over.find((each) => each.turnId === asked.turnId);
  if (!turn) return null;
  return {
    turnId: turn.turnId,
    number: view.turns.indexOf(turn) + 1,
    nextTurnId: laterTurns(view, turn)[0]?.turnId ?? null,
    filesNow: asked.turnId === null && view.openTurnId === null,
  };
}

/** The turns that began after another one was over, in the order in which they began. Pure. */
export function laterTurns(
  { turns }: Pick<SessionView, 'turns'>,
  { turnId: id, endedAt }: Pick<TurnView, 'turnId' | 'endedAt'>,
): TurnView[] {
  const began = ({ startedAt }: TurnView) => startedAt ?? Infinity;
  return turns
    .filter((turn) => turn.turnId !== id && turn.startedAt !== null)
    .filter((turn) => began(turn) >= (endedAt ?? Infinity))
    .toSorted((one, other) => began(one) - began(other));
}

/** Adds a fork to the session that it was made of; the same one again changes nothing. Pure. */
export function reduceFork(view: SessionView, fork: EventOf<'session/forked'>): SessionView {
  const { sessionId: into, turnId: at, number } = fork;
  const forks = view.forks ?? [];
  if (forks.some((known) => known.sessionId === into)) return view;
  return { ...view, forks: [...forks, { sessionId: into, turnId: at, number }] };
}

/** The terms of a session, for a fork of it: as it was launched, with the power that it got. Pure. */
export function forkTerms({ launch, checkout }: Pick<SessionView, 'launch' | 'checkout'>) {
  const { engineId, directory, baseRef, approvals, model, limits, budgetMicroUsd } = launch;
  const { noOutputMs, answerMs } = launch;
  const network = launch.network ?? checkout?.grade?.network;
  return {
    engineId,
    directory,
    checkout: 'own' as const,
    baseRef,
    approvals,
    model,
    budgetMicroUsd,
    limits: limits ?? null,
    noOutputMs,
    answerMs,
    grade: launch.grade ?? checkout?.grade?.grade ?? null,
    ...(network && { network }),
  };
}
