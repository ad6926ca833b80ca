import { z } from 'zod';
import { breachView } from './breach.ts';
import { approvalRequest } from './approval.ts';
import { delivery, engineError, observed } from './engine-event.ts';
import { turnOutcome } from './turn-outcome.ts';
import { gradeReport } from './grade.ts';
import { imageRef } from './image.ts';
import { actorId, launchId, sessionId, turnId } from './ids.ts';
import { launchSpec, launchStage } from './launch.ts';
import { forkedInto } from './fork.ts';
import { modelCalls } from './model-calls.ts';
import { sessionState } from './session.ts';
import { takeoverView } from './takeover.ts';
import { payer, spendTotals } from './usage.ts';

export const turnView = z.object({
  turnId,
  /** Null when nobody gave an instruction: `origin` says who began it. */
  text: z.string().nullable(),
  /** What began the turn; null until it did, and in records of earlier versions. */
  origin: z.enum(['instruction', 'engine', 'terminal']).nullable().default(null),
  /** What the instruction came with; absent is nothing. */
  images: z.array(imageRef).optional(),
  actorId: actorId.nullable(),
  state: z.enum(['accepted', 'started', 'ended']),
  delivery: delivery.nullable(),
  deliveryReason: z.string().nullable(),
  outcome: turnOutcome.nullable(),
  error: engineError.nullable(),
  acceptedAt: z.int(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  spend: spendTotals,
  acts: z.int().nonnegative(),
  usage: observed.nullable(),
  /** Whether the engine told what it did; null until the turn is over, and in earlier records. */
  actsObserved: observed.nullable().default(null),
  /** The engine remembered nothing, and was told of so many turns in so many characters. */
  briefed: z
    .object({ turns: z.int().positive(), chars: z.int().positive() })
    .nullable()
    .default(null),
  /** The refs that were compared when it was over; null before, and where nothing compares them. */
  witnessed: z
    .object({
      refs: z.int().nonnegative(),
      places: z.array(z.string()),
      /** Where none could be compared, and why. */
      skipped: z.array(z.string()),
      /** Moved there by others, or by nobody knows whom. */
      others: z.int().nonnegative(),
    })
    .nullable()
    .default(null),
});
export type TurnView = z.infer<typeof turnView>;

/** A session as its feed knows it: everything a page shows around the transcript. */
export const sessionView = z.object({
  sessionId,
  launch: launchSpec,
  actorId,
  state: sessionState,
  /** When the state began. */
  stateAt: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** When the engine last said something or got something to do; older records do not say. */
  heardAt: z.int().default(0),
  /** When each stage of the current launch was reached. */
  stages: z.partialRecord(launchStage, z.int()),
  launchId: launchId.nullable(),
  failure: z
    .object({
      error: engineError,
      stage: launchStage,
      elapsedMs: z.int(),
      stderrTail: z.array(z.string()),
    })
    .nullable(),
  /** Who said that this failure needs no more attention, and when; null while it does. */
  dismissed: z.object({ actorId, at: z.int() }).nullable().default(null),
  /** When its conversation was last made short, to be begun anew by the next turn; Unix ms. */
  compactedAt: z.int().nullable().optional(),
  /** What that was before it was last asked for: true again where the request fails. */
  compactedBefore: z.int().nullable().optional(),
  /** The last turn before that; null where nothing had been said. */
  compactedAfter: turnId.nullable().optional(),
  /** When a restart of its engine was asked for that is still to come; Unix ms. */
  restartAskedAt: z.int().nullable().optional(),
  /** Who drives by hand; null when nobody does. */
  takeover: takeoverView.nullable().default(null),
  /** What the engine waits for outside its protocol, and what to do; null while it does not. */
  blocked: z.object({ excerpt: z.string(), message: z.string() }).nullable().default(null),
  /** Why the session halted or ended, as a sentence. */
  reason: z.string().nullable(),
  engine: z
    .object({
      engineSessionId: z.string(),
      version: z.string().nullable(),
      model: z.string().nullable(),
      payer,
      credential: z.string().nullable(),
    })
    .nullable(),
  checkout: z
    .object({
      mode: z.enum(['own', 'inPlace']),
      directory: z.string(),
      branch: z.string().nullable(),
      commit: z.string().nullable(),
      commits: z.int(),
      uncommittedFiles: z.int(),
      grade: gradeReport.optional(),
    })
    .nullable(),
  turns: z.array(turnView),
  openTurnId: turnId.nullable(),
  pendingApprovals: z.array(approvalRequest),
  /** Requests that have an answer which the engine has not confirmed. */
  answeredRequestIds: z.array(z.string()),
  /** When an approval last expired unanswered (Unix ms), until the next instruction. */
  approvalExpiredAt: z.int().nullable().optional(),
  spend: spendTotals,
  /** The part of `spend` that the Pilot's brain used; left out where none did. */
  brainSpend: spendTotals.optional(),
  /** What the model gate saw; left out where no call was said to pass it, or past it. */
  model: modelCalls.optional(),
  acts: z.int().nonnegative(),
  /** Acts that its policy forbids and that happened, in the order in which they were found. */
  breaches: z.array(breachView).default([]),
  /** Sessions that were forked from this one, the oldest first; left out where none was. */
  forks: z.array(forkedInto).optional(),
});
export type SessionView = z.infer<typeof sessionView>;
