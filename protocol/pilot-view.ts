import { z } from 'zod';
import { sessionId, turnId } from './ids.ts';
import {
  BRAIN_KINDS,
  checklistSteps,
  evidence,
  pilotBounds,
  pilotDecision,
  pilotMode,
  pilotStatus,
} from './pilot.ts';
import { usageEntry } from './usage.ts';

/** Why a person is waited for. */
export const pilotHold = z.enum(['proposal', 'question', 'takeover', 'gone', 'halted']);

/** As much of a Pilot as a list of sessions tells. */
export const pilotStanding = z.object({
  step: z.int().nonnegative(),
  status: pilotStatus,
  /** Null while no person is waited for. */
  hold: pilotHold.nullable(),
  reason: z.string(),
});
export type PilotStanding = z.infer<typeof pilotStanding>;

/**
 * What a Pilot wants of a person: a yes to its proposal, or an answer. Null where it wants nothing,
 * or where the session itself says what is the matter.
 */
export function askOfPilot(pilot: PilotStanding | null): 'proposal' | 'question' | null {
  if (pilot?.status !== 'waiting_person') return null;
  return pilot.hold === 'proposal' || pilot.hold === 'question' ? pilot.hold : null;
}

/** A session's Pilot as it stands. */
export const pilotView = z.object({
  sessionId,
  mode: pilotMode,
  brain: z.enum(BRAIN_KINDS),
  /** The model that decides; null where none does. */
  brainModel: z.string().nullable().default(null),
  status: pilotStatus,
  /** Why it stands there, as a sentence. */
  reason: z.string(),
  /** Null while no person is waited for. */
  hold: pilotHold.nullable(),
  objective: z.string(),
  /** The objective's steps, where the brain has such. */
  steps: checklistSteps,
  bounds: pilotBounds,
  step: z.int().nonnegative(),
  turns: z.int().nonnegative(),
  openTurnId: turnId.nullable(),
  /** The next instruction, which waits for a yes. */
  proposal: z.string().nullable(),
  /** Why that yes also begins the conversation anew, with figures; null where it does not. */
  proposesAnew: z.string().nullable().default(null),
  /** Whether a conversation that has grown long is begun anew. */
  beginsAnew: z.boolean().default(false),
  /** It goes on by itself then, Unix ms; null where it does not. */
  until: z.int().nullable(),
  /** It pauses once what is being sent has been sent. */
  pausing: z.boolean(),
  /** The merge policy as it was read when the run began. */
  policy: z.object({ mode: z.string(), version: z.int() }).nullable(),
  startedAt: z.int(),
  updatedAt: z.int(),
  finishedAt: z.int().nullable(),
});
export type PilotView = z.infer<typeof pilotView>;

/** One answer of the brain, and what it led to. */
export const pilotDecisionRow = z.object({
  step: z.int().positive(),
  at: z.int(),
  /** Null: nothing that could be used. */
  next: z.enum(pilotDecision.options.map((option) => option.shape.next.value)).nullable(),
  instruction: z.string().nullable(),
  reason: z.string(),
  evidence: z.array(evidence),
  /** What each model took for this answer; none where none was asked. */
  usage: z.array(usageEntry).default([]),
  status: pilotStatus,
  outcome: z.string(),
  /** The conversation was begun anew before the instruction; `outcome` says why. */
  anew: z.boolean().default(false),
});
export type PilotDecisionRow = z.infer<typeof pilotDecisionRow>;
export const pilotDecisionPage = z.object({
  items: z.array(pilotDecisionRow),
  nextCursor: z.string().nullable(),
});
