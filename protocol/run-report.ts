import { z } from 'zod';
import { actDecider, actKind, actOutcome, witness } from './act.ts';
import { breachView } from './breach.ts';
import { approvalRequest, approvalResolution } from './approval.ts';
import { observed } from './engine-event.ts';
import { engineId } from './engine-id.ts';
import { grade } from './grade.ts';
import { actId, actorId, requestId, sessionId, turnId } from './ids.ts';
import { evidence, pilotMode, pilotStatus } from './pilot.ts';
import { sessionState } from './session.ts';
import { turnOutcome } from './turn-outcome.ts';
import { spendTotals } from './usage.ts';
import { standing } from './run-standing.ts';

/** Most characters of an instruction and of a claim in a report; the record has them whole. */
export const TOLD_MAX_CHARS = 4_000;

/** Who gave the instruction of a turn; `terminal` is a person in the engine's own terminal. */
export const askedBy = z.enum(['person', 'pilot', 'engine', 'terminal']);
export type AskedBy = z.infer<typeof askedBy>;

export const runTurn = z.object({
  turnId,
  askedBy,
  /** Null when nobody gave one. */
  instruction: z.string().nullable(),
  /** Null while it is not over, or never began. */
  outcome: turnOutcome.nullable(),
  /** Why it did not come out, or did not arrive; null where nothing went wrong. */
  reason: z.string().nullable(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  spend: spendTotals,
  acts: z.int().nonnegative(),
  /** Whether the engine told what it used and what it did. */
  usageObserved: observed.nullable(),
  actsObserved: observed.nullable(),
});
export type RunTurn = z.infer<typeof runTurn>;

/** An act with what everybody who saw it said: claim, witnesses and gate are one. */
export const runAct = z.object({
  actId,
  at: z.int(),
  turnId: turnId.nullable(),
  /** Who gave the instruction, and for whom; left out in reports of earlier versions. */
  by: z.object({ actorId, behalfOf: actorId.nullable() }).optional(),
  kind: actKind,
  target: z.string().nullable(),
  command: z.string(),
  seenBy: z.array(witness).min(1),
  /** What does not fit between them, as a short phrase; null when nothing is odd. */
  difference: z.string().nullable(),
  /** Null while it is under way. */
  outcome: actOutcome.nullable(),
  decidedBy: actDecider.nullable(),
  reason: z.string().nullable(),
  uncertain: z.boolean(),
  /** What moved, as witnesses and gate tell it. */
  evidence: z.array(z.string()),
});
export type RunAct = z.infer<typeof runAct>;

export const runApproval = z.object({
  requestId,
  at: z.int(),
  turnId: turnId.nullable(),
  kind: approvalRequest.shape.kind,
  summary: z.string(),
  acts: z.array(actKind),
  /** What a person said, who and from where; null while nobody did. */
  answer: z
    .object({
      decision: z.enum(['allow', 'deny']),
      actorId,
      channel: z.string(),
      at: z.int(),
    })
    .nullable(),
  /** What became of it at the engine; null while that is open. */
  resolution: approvalResolution.nullable(),
});
export type RunApproval = z.infer<typeof runApproval>;

export const runFile = z.object({
  path: z.string(),
  change: z.enum(['created', 'edited', 'deleted']),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type RunFile = z.infer<typeof runFile>;

/** What the agent itself said last. It is a claim: what was seen stands beside it. */
export const runClaim = z.object({ at: z.int(), turnId: turnId.nullable(), text: z.string() });

export const runPilot = z.object({
  mode: pilotMode,
  brain: z.string(),
  status: pilotStatus,
  reason: z.string(),
  turns: z.int().nonnegative(),
  maxTurns: z.int().positive(),
  /** The checks behind its last decision, as the runner ran them. */
  evidence: z.array(evidence.omit({ tail: true })),
});
export type RunPilot = z.infer<typeof runPilot>;

/** A run from its objective to where it stands, composed from the record alone. */
export const runReport = z.object({
  format: z.literal(1),
  madeAt: z.int(),
  sessionId,
  title: z.string(),
  objective: z.string(),
  standing,
  /** Why it stands there, as a sentence. */
  reason: z.string(),
  state: sessionState,
  engine: z.object({
    engineId,
    version: z.string().nullable(),
    model: z.string().nullable(),
    credential: z.string().nullable(),
    /** A rehearsal asks no model anything. */
    rehearsal: z.boolean(),
  }),
  machine: z.string(),
  directory: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  commits: z.int().nonnegative(),
  uncommittedFiles: z.int().nonnegative(),
  grade: grade.nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** How long turns were under way, all together, in ms. */
  workedMs: z.int().nonnegative(),
  claim: runClaim.nullable(),
  turns: z.array(runTurn),
  acts: z.array(runAct),
  /** What the policy forbids and happened, with how to take it back and who answered for it. */
  breaches: z.array(breachView),
  files: z.array(runFile),
  approvals: z.array(runApproval),
  spend: spendTotals,
  /** The part of it that the Pilot's brain used; null where none did. */
  brainSpend: spendTotals.nullable(),
  /** Null is no limit. */
  budgetMicroUsd: z.int().positive().nullable(),
  pilot: runPilot.nullable(),
  /** The merge policy in force, as sentences. */
  policy: z.array(z.string()),
  /** What this report cannot tell, as sentences. */
  gaps: z.array(z.string()),
});
export type RunReport = z.infer<typeof runReport>;

/** The answer for one who delegates: what is claimed, what was seen, what waits for somebody. */
export const runStatus = runReport
  .pick({
    sessionId: true,
    title: true,
    standing: true,
    reason: true,
    state: true,
    updatedAt: true,
    claim: true,
    spend: true,
    brainSpend: true,
    budgetMicroUsd: true,
    pilot: true,
    breaches: true,
    gaps: true,
  })
  .extend({
    turns: z.int().nonnegative(),
    /** What was witnessed, which no claim replaces. */
    witnessed: runReport.pick({
      acts: true,
      files: true,
      branch: true,
      commit: true,
      commits: true,
      uncommittedFiles: true,
    }),
    /** What waits for an answer. */
    waiting: z.array(approvalRequest),
  });
export type RunStatus = z.infer<typeof runStatus>;
