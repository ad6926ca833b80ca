import { z } from 'zod';
import { actDecider, actKind, actOutcome, witness } from './act.ts';
import { breachView, overrideReason } from './breach.ts';
import { chainHead } from './chain-head.ts';
import { selfReported } from './drive-report.ts';
import { actWitness } from './witness.ts';
import { feedEntry } from './engine-event.ts';
import { IMAGES_MAX } from './image.ts';
import {
  actId,
  actorId,
  imageId,
  instanceId,
  LOCAL_ACTOR,
  operatorId,
  runnerId,
  sessionId,
  turnId,
} from './ids.ts';
import { engineId } from './engine-id.ts';
import { instructionText } from './instruction.ts';
import { forkRequest } from './fork.ts';
import { answerTime, launchSpec, noOutputTime } from './launch.ts';
import { grade } from './grade.ts';
import { machineFacts, presence } from './machine.ts';
import { policySource, saidPolicyPart } from './merge-policy.ts';
import { pilotStanding } from './pilot-view.ts';
import { sessionState } from './session.ts';
import { sessionView } from './session-view.ts';
import { leaseKey } from './takeover.ts';
import { spendBucket, spendTotals, usageEntry } from './usage.ts';

/** Who did or spent something: a session, or an operator by its instance. */
export const doerId = sessionId.or(instanceId);

/** Every list answers a page and the cursor of the next one, null at the end. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });
/** The same as its reader takes it: a newer server may list what this end does not know, and that alone is passed over. */
const knownPageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    items: z.array(z.unknown()).transform((items) =>
      items.flatMap((each) => {
        const known = item.safeParse(each);
        return known.success ? [known.data] : [];
      }),
    ),
    nextCursor: z.string().nullable(),
  });
/** Most items of one page. */
export const PAGE_MAX = 500;
export const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(50),
});

export const principal = z.object({ kind: z.enum(['person', 'cli', 'runner']), name: z.string() });
export const me = z.object({ principal, version: z.string() });
export type Me = z.infer<typeof me>;

export const runnerSummary = z.object({
  runnerId,
  name: z.string(),
  presence,
  lastSeenAt: z.int().nullable(),
  machine: machineFacts.nullable(),
  /** When its access was taken back, in Unix ms; null while it may connect. */
  revokedAt: z.int().nullable().default(null),
});
export type RunnerSummary = z.infer<typeof runnerSummary>;
export const runnerPage = pageOf(runnerSummary);

/** Images that were brought before the launch, and the id of the caller's under which they are held. */
const launchImages = z.object({
  under: turnId,
  imageIds: z.array(imageId).min(1).max(IMAGES_MAX),
});
export type LaunchImages = z.infer<typeof launchImages>;

/** The engine is named; what it is, the account's own presets say. */
export const launchRequest = z.object({
  runnerId,
  ...launchSpec.omit({ preset: true, from: true, policy: true }).shape,
  /** The session to go on from: what it did is taken from its record. */
  from: sessionId.optional(),
  /** Forks that session: its files as they were, and its conversation where the engine can. */
  fork: forkRequest.optional(),
  /** Left out, it is the usual time, or what the machine allows of it. */
  noOutputMs: noOutputTime.optional(),
  answerMs: answerTime.optional(),
  /** What this session alone may not do; it tightens what holds for all. */
  policy: saidPolicyPart.optional(),
  /** The caller's id of the first instruction: sent again under it, it is the same launch. */
  turnId: turnId.optional(),
  /** What the first instruction comes with. */
  images: launchImages.optional(),
});
export type LaunchRequest = z.input<typeof launchRequest>;
export const launched = z.object({ sessionId, turnId });

export const sessionSummary = z.object({
  sessionId,
  runnerId,
  runnerName: z.string(),
  title: z.string(),
  engineId,
  /** A rehearsal: nothing was asked of a model and nothing was paid. */
  rehearsal: z.boolean(),
  directory: z.string().nullable(),
  /** How much power it holds; null until that is decided. */
  grade: grade.nullable().default(null),
  state: sessionState,
  reason: z.string().nullable(),
  /** When somebody dismissed its failure (Unix ms); null when nobody did. */
  dismissedAt: z.int().nullable(),
  pendingApprovals: z.int().nonnegative(),
  /** When an approval expired unanswered (Unix ms), until the next instruction. */
  approvalExpiredAt: z.int().nullable().default(null),
  /** Where its Pilot stands; null where a person gives the instructions. */
  pilot: pilotStanding.nullable().default(null),
  spend: spendTotals,
  acts: z.int().nonnegative(),
  /** Acts that its policy forbids and nobody has answered for. */
  breaches: z.int().nonnegative().default(0),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;
export const sessionPage = pageOf(sessionSummary);
export const sessionQuery = z.object({ ...pageQuery.shape, runnerId: runnerId.optional() });

export const sessionDetail = z.object({ summary: sessionSummary, view: sessionView });
export type SessionDetail = z.infer<typeof sessionDetail>;

export const entriesQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export const entriesPage = z.object({ entries: z.array(feedEntry), last: z.int().nonnegative() });
export type EntriesPage = z.infer<typeof entriesPage>;

/** `turnId` makes the request repeatable: the same id and text is one instruction. */
export const instructRequest = z.object({
  turnId: turnId.optional(),
  text: instructionText,
  /** Images of the session that are there whole. */
  images: z.array(imageId).max(IMAGES_MAX).optional(),
  /** Into the turn under way, past those that wait; where there is none, like any other. */
  steer: z.boolean().optional(),
  /** Proves to drive a session that a person has taken over. */
  key: leaseKey.optional(),
});
export const instructed = z.object({ turnId });
export const accepted = z.object({ accepted: z.literal(true) });

export const pathQuery = z.object({
  path: z.string().max(4096).default(''),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const checkoutQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export const toolOutput = z.object({ text: z.string(), bytes: z.int().nonnegative() });

export const usageQuery = z.object({
  ...pageQuery.shape,
  sessionId: sessionId.optional(),
  /** Inclusive start and exclusive end, Unix ms. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
});
export const usageRow = z.object({
  ...usageEntry.shape,
  bucket: spendBucket,
  /** Of a session, or of the operator's instance whose agent it was. */
  sessionId: doerId,
  sessionTitle: z.string(),
  engineId,
  turnId: turnId.nullable(),
  at: z.int(),
});
export type UsageRow = z.infer<typeof usageRow>;
export const usagePage = pageOf(usageRow);

export const usageGrouping = z.enum(['day', 'session', 'engine', 'model', 'payer', 'directory']);
export type UsageGrouping = z.infer<typeof usageGrouping>;
export const usageSummaryQuery = z.object({
  ...pageQuery.shape,
  by: usageGrouping.default('day'),
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
});
/** What operators wrote into terminals, where an AI may have spent what nobody can see. */
export const unmeteredWork = z.object({
  drives: z.int().nonnegative(),
  /** Of them, into the command line of an AI. */
  aiCliDrives: z.int().nonnegative(),
  instances: z.int().nonnegative(),
  lastAt: z.int().nullable(),
  windowDays: z.int().positive(),
});
export type UnmeteredWork = z.infer<typeof unmeteredWork>;

export const usageSummary = z.object({
  by: usageGrouping,
  totals: spendTotals,
  groups: z.array(z.object({ key: z.string(), label: z.string(), totals: spendTotals })),
  /** Work that nothing measures, beside every sum; left out where there is none to tell of. */
  unmetered: unmeteredWork.optional(),
  /** What programs in terminals said of their own cost: beside every sum, and in none. */
  selfReported: selfReported.optional(),
  /** Of further groups: only sessions are so many that they come in pages. */
  nextCursor: z.string().nullable().default(null),
});
export type UsageSummary = z.infer<typeof usageSummary>;

export const repairedSums = z.object({
  /** Entries that the sums were compared with. */
  entries: z.int().nonnegative(),
  /** Sums that differed and were made anew. */
  wrong: z.int().nonnegative(),
});
export type RepairedSums = z.infer<typeof repairedSums>;

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What became of an act, as it is asked for: `open` is under way, or waits for an approval. */
export const ACT_ENDS = ['done', 'not_done', 'unknown', 'open'] as const;

export const actsFilter = z.object({
  /** Of one session or instance of an operator alone. */
  sessionId: doerId.optional(),
  runnerId: runnerId.optional(),
  /** Under whose instruction it was done: a person, the Pilot, GitHub. */
  actorId: actorId.optional(),
  kind: actKind.optional(),
  /** Whoever saw it, first or later. */
  witness: witness.optional(),
  outcome: z.enum(ACT_ENDS).optional(),
  /** Those alone that the policy forbids, or those alone that it does not. */
  breach: yesOrNo.optional(),
  /** Inclusive start and exclusive end, Unix ms. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
});
export type ActsFilter = z.infer<typeof actsFilter>;
export const actsQuery = z.object({ ...pageQuery.shape, ...actsFilter.shape });
export const actRow = z.object({
  actId,
  sessionId: doerId,
  /** The session's title, or the operator's name. */
  sessionTitle: z.string(),
  engineId,
  /** Where it was done; null where nothing says so, and in answers of earlier versions. */
  machine: z.object({ runnerId, name: z.string() }).nullable().default(null),
  /** Who gave the instruction; of an operator, whose it is. */
  actorId: actorId.default(LOCAL_ACTOR),
  /** Whose session it is, where somebody else gave the instruction: the Pilot, GitHub. */
  behalfOf: actorId.nullable().default(null),
  rehearsal: z.boolean(),
  turnId: turnId.nullable(),
  toolId: z.string().nullable(),
  kind: actKind,
  target: z.string().nullable(),
  command: z.string(),
  witness,
  /** What others found about it, the first first. */
  witnesses: z.array(actWitness).default([]),
  uncertain: z.boolean(),
  /** Null while it is still under way. */
  outcome: actOutcome.nullable(),
  /** Who decided that, and why, where it was the policy or the forge. */
  decidedBy: actDecider.nullable().default(null),
  reason: z.string().nullable().default(null),
  /** Its tool call waits for an approval: nothing of it has run. */
  waiting: z.boolean(),
  /** Its session's policy forbids it, and it happened. */
  breach: z.boolean().optional(),
  /** The versions of the policy of its session; left out in records of earlier versions. */
  policy: z.array(policySource).optional(),
  /** Its link in the chain of its session; left out in records from before there was one. */
  link: chainHead.optional(),
  at: z.int(),
});
export type ActRow = z.infer<typeof actRow>;
export const actPage = pageOf(actRow);
export const knownActPage = knownPageOf(actRow);

export const breachesQuery = z.object({
  ...pageQuery.shape,
  /** Of one session or instance of an operator alone. */
  sessionId: doerId.optional(),
  /**
   * Of sessions alone, of operators, or of any. Absent: of the one that is named, else of sessions,
   * because a caller of before there were operators cannot read theirs.
   */
  doer: z.enum(['session', 'operator', 'any']).optional(),
  /** Those alone that nobody has answered for. */
  open: yesOrNo.optional(),
  /** Inclusive start and exclusive end, Unix ms. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
});
/** The write of an operator that a breach is of: by which call, into which terminal. */
export const breachDrive = z.object({
  operatorId,
  callId: z.string(),
  target: z.string().nullable(),
});
export const breachRow = breachView.extend({
  sessionId: doerId,
  /** The session's title, or the operator's name. */
  sessionTitle: z.string(),
  engineId,
  /** The versions of the policy that were read for it; empty: nobody had said anything. */
  policy: z.array(policySource),
  /** Null for one of a session, and in answers of earlier versions. */
  drive: breachDrive.nullable().default(null),
});
export type BreachRow = z.infer<typeof breachRow>;
export const breachPage = pageOf(breachRow);
export const knownBreachPage = knownPageOf(breachRow);
export const overrideRequest = z.object({ reason: overrideReason });

export const health = z.object({ ok: z.literal(true), version: z.string() });
