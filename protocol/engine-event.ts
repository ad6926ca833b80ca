import { z } from 'zod';
import { actDecider, actOutcome, actSeen } from './act.ts';
import { breach, overrideReason } from './breach.ts';
import { approvalAnswer, approvalRequest, approvalResolution } from './approval.ts';
import { actId, actorId, commandId, launchId, requestId, sessionId, turnId } from './ids.ts';
import { gradeReport } from './grade.ts';
import { imageRef, IMAGES_MAX } from './image.ts';
import { instructionText } from './instruction.ts';
import { launchSpec, launchStage, providerFailure } from './launch.ts';
import { policySnapshot } from './merge-policy.ts';
import { EXCERPT_MAX_CHARS } from './prompt.ts';
import { modelMetered, modelRouted } from './model-calls.ts';
import { requestedAction } from './session.ts';
import { takeoverForm, terminalSize } from './takeover.ts';
import { cappedText } from './text.ts';
import { turnOutcome } from './turn-outcome.ts';
import { payer, usageEntry } from './usage.ts';
import { actWitnessed, turnWitnessed } from './witness.ts';

const at = z.int();
const event = <const T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });

/** Whether a turn's record holds what it must. `unobservable` is not `none`, `none` is not zero. */
export const observed = z.enum(['recorded', 'none', 'unobservable', 'unsettled']);
export type Observed = z.infer<typeof observed>;

/** How far an instruction got. `unknown`: handed over, never confirmed, never resent by itself. */
export const delivery = z.enum(['received', 'handed', 'confirmed', 'unknown', 'undelivered']);

/** A file that a tool changed, as a unified diff without its file header. */
export const fileDiff = z.object({
  path: z.string(),
  change: z.enum(['created', 'edited', 'deleted']),
  patch: cappedText,
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type FileDiff = z.infer<typeof fileDiff>;

/** Why the engine failed, in its own words (redacted) and in ours. */
export const engineError = z.object({ code: providerFailure, message: z.string() });
export type EngineError = z.infer<typeof engineError>;

const stderrTail = z.array(z.string()).max(20);
const toolId = z.string().min(1);

/** What only the cloud can say: who asked for what. */
const cloudEvents = [
  event('session/created', { launch: launchSpec, actorId }),
  event('turn/accepted', {
    turnId,
    text: instructionText,
    actorId,
    /** What it comes with; absent is nothing. */
    images: z.array(imageRef).max(IMAGES_MAX).optional(),
  }),
  event('action/requested', {
    action: requestedAction,
    actorId,
    /** What holds from this retry on, where the policy became stricter since the launch. */
    policy: policySnapshot.optional(),
  }),
  event('approval/decided', {
    requestId,
    answer: approvalAnswer,
    actorId,
    /** Where the answer came from, as the person would say it: console, cli. */
    channel: z.string(),
  }),
  event('takeover/began', {
    form: takeoverForm,
    actorId,
    channel: z.string(),
    /** The fencing epoch of the lease. */
    epoch: z.int().positive(),
  }),
  event('takeover/released', { actorId, channel: z.string(), epoch: z.int().positive() }),
  /** Another session was launched as a fork of this one, which goes on as it was. */
  event('session/forked', {
    sessionId,
    turnId,
    /** Which of this session's turns that is, from 1. */
    number: z.int().positive(),
    actorId,
  }),
  /** A person answers for a breach, so that the session may go on. */
  event('breach/overridden', { actId, reason: overrideReason, actorId, channel: z.string() }),
  event('command/failed', {
    commandId,
    method: z.string(),
    turnId: turnId.nullable(),
    /** The approval whose answer failed to arrive; absent for every other command. */
    requestId: requestId.optional(),
    code: z.string(),
    message: z.string(),
  }),
] as const;

/** What only the machine can say. Order within a session is the order of `seq`. */
const runnerEvents = [
  event('launch/staged', {
    launchId,
    stage: launchStage,
    /** The process and its command line once there is one; secrets are never in it. */
    process: z
      .object({
        pid: z.int(),
        argv: z.array(z.string()),
        directory: z.string(),
        /** Names alone, in order. */
        environment: z.array(z.string()).default([]),
        /** What opens the conversation that `argv` names, once that is there; absent where it names none. */
        resumed: z.array(z.string()).optional(),
      })
      .nullable(),
  }),
  event('launch/failed', {
    launchId,
    state: z.enum(['failed_to_start', 'bootstrap_stalled', 'provider_failed']),
    stage: launchStage,
    error: engineError,
    elapsedMs: z.int().nonnegative(),
    stderrTail,
  }),
  event('engine/ready', {
    launchId,
    engineSessionId: z.string().min(1),
    engineVersion: z.string().nullable(),
    model: z.string().nullable(),
    payer,
    /** The name of the credential in use, never its value: `ANTHROPIC_API_KEY`, `subscription`. */
    credential: z.string().nullable(),
  }),
  event('engine/exited', {
    launchId,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    /** We ended it (stop, park), as opposed to it ending by itself. */
    expected: z.boolean(),
    stderrTail,
  }),
  event('engine/parked', {
    /** `no_output`: it said nothing for longer than the launch allows, and was ended. */
    reason: z.enum([
      'idle',
      'spool_full',
      'runner_restarted',
      'no_output',
      'taken_over',
      'compacted',
      'restarted',
    ]),
  }),
  event('engine/blocked', {
    /**
     * `unknown`: nobody vouched for an answer. `unanswered`: it was offered, and the time is over.
     * `not_taken_up`: no prompt, but a restarted runner that cannot go on with the session.
     */
    why: z.enum(['unknown', 'secret', 'unanswered', 'declined', 'not_taken_up']),
    /** The last words that the engine printed, redacted. */
    excerpt: z.string().max(EXCERPT_MAX_CHARS),
    /** What it means and what to do. */
    message: z.string(),
  }),
  /** It went on, or ended. */
  event('engine/unblocked', {}),
  event('session/halted', {
    reason: z.enum(['budget', 'missing_records', 'unpriced_model', 'breach']),
    message: z.string(),
  }),
  /** A halt is lifted: the next instruction is taken. */
  event('session/resumed', {}),
  event('session/ended', {
    end: z.enum(['finished', 'stopped', 'failed', 'lost']),
    reason: z.string(),
  }),
  event('checkout/prepared', {
    mode: z.enum(['own', 'inPlace']),
    directory: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
    included: z.array(z.string()),
    fromUncommitted: z.boolean(),
    /** Absent: from before there were grades, and so open. */
    grade: gradeReport.optional(),
  }),
  event('checkout/broughtBack', {
    turnId: turnId.nullable(),
    branch: z.string(),
    commit: z.string(),
    commits: z.int().nonnegative(),
    /** Changed in the checkout and in no commit yet. */
    uncommittedFiles: z.int().nonnegative(),
  }),
  event('setup/ran', {
    command: z.string(),
    exitCode: z.int().nullable(),
    output: cappedText,
    durationMs: z.int().nonnegative(),
  }),
  event('turn/delivered', { turnId, delivery, reason: z.string().nullable() }),
  event('turn/briefed', {
    /** The engine remembers nothing of earlier turns, and was told of so many of them. */
    turnId,
    turns: z.int().positive(),
    chars: z.int().positive(),
  }),
  event('turn/started', {
    turnId,
    /**
     * `engine`: the engine began by itself, as when a background task ends. `terminal`: a person
     * drives the engine's own terminal, and whatever is done there is this turn.
     */
    origin: z.enum(['instruction', 'engine', 'terminal']),
  }),
  event('turn/ended', {
    turnId,
    outcome: turnOutcome,
    error: engineError.nullable(),
    durationMs: z.int().nonnegative(),
    usage: observed,
    acts: observed,
  }),
  event('text/completed', {
    turnId: turnId.nullable(),
    blockId: z.string(),
    /** The tool call of the subagent that speaks; null is the session itself. */
    parentToolId: z.string().nullable(),
    kind: z.enum(['answer', 'narration', 'thinking']),
    text: cappedText,
  }),
  event('tool/started', {
    turnId: turnId.nullable(),
    toolId,
    parentToolId: z.string().nullable(),
    name: z.string(),
    /** One line for the folded call: the command, the path, the query. */
    summary: z.string(),
    input: cappedText,
  }),
  event('tool/ended', {
    toolId,
    outcome: z.enum(['ok', 'failed', 'denied', 'interrupted', 'unknown']),
    exitCode: z.int().nullable(),
    output: cappedText,
    files: z.array(fileDiff),
    durationMs: z.int().nonnegative(),
  }),
  event('usage/recorded', { turnId: turnId.nullable(), entries: z.array(usageEntry).min(1) }),
  event('model/routed', modelRouted.shape),
  event('model/metered', modelMetered.shape),
  event('act/seen', { act: actSeen }),
  event('act/ended', {
    actId,
    outcome: actOutcome,
    /** Who decided, and why, in words; absent where only the engine's own command tells. */
    by: actDecider.optional(),
    reason: z.string().optional(),
  }),
  event('act/witnessed', actWitnessed.shape),
  event('turn/witnessed', turnWitnessed.shape),
  event('breach/found', { breach }),
  event('approval/requested', { request: approvalRequest }),
  event('approval/resolved', { requestId, resolution: approvalResolution }),
  event('terminal/opened', {
    turnId,
    ...terminalSize.shape,
    /** It was open when the runner ended; the conversation goes on in a new terminal. */
    reopened: z.boolean(),
    process: z.object({ pid: z.int(), argv: z.array(z.string()), directory: z.string() }),
  }),
  event('terminal/closed', {
    turnId,
    /** `exited`: the person or the engine ended it from inside. */
    reason: z.enum(['released', 'exited', 'stopped', 'runner_restarted', 'failed']),
    exitCode: z.int().nullable(),
    /** What went wrong and what to do; null when nothing did. */
    message: z.string().nullable(),
  }),
  /**
   * The Pilot's brain asked a model, which is paid for and is no work of the conversation. The cloud
   * says it where the cloud asked.
   */
  event('brain/answered', { step: z.int().positive(), usage: usageEntry }),
  event('rateLimit/reported', { status: z.string(), resetsAt: at.nullable() }),
  event('notice/raised', {
    level: z.enum(['info', 'warning', 'error']),
    code: z.string().regex(/^[a-z_]+$/),
    message: z.string(),
  }),
] as const;

export const engineEvent = z.discriminatedUnion('type', runnerEvents);
export const feedEvent = z.discriminatedUnion('type', [...cloudEvents, ...runnerEvents]);

export type EngineEvent = z.infer<typeof engineEvent>;
export type FeedEvent = z.infer<typeof feedEvent>;
export type EventOf<T extends FeedEvent['type']> = Extract<FeedEvent, { type: T }>;

/** An engine event as the runner's outbox holds it: `seq` is from 1, per session, without gaps. */
export const sequencedEvent = z.object({
  sessionId,
  seq: z.int().positive(),
  at,
  event: engineEvent,
});
export type SequencedEvent = z.infer<typeof sequencedEvent>;

/** One line of a session's record. `position` orders both origins; a console's cursor is one. */
export const feedEntry = z.object({
  position: z.int().positive(),
  at,
  /** The runner's own number; null when the cloud wrote the entry. */
  seq: z.int().positive().nullable(),
  event: feedEvent,
});
export type FeedEntry = z.infer<typeof feedEntry>;

/**
 * Text on its way, shown and not kept: the completed block replaces it. `text` is everything of
 * the block since `offset` characters, so that a viewer that missed one sees the gap.
 */
export const textDelta = z.object({
  sessionId,
  turnId: turnId.nullable(),
  blockId: z.string(),
  parentToolId: z.string().nullable(),
  kind: z.enum(['answer', 'thinking']),
  offset: z.int().nonnegative(),
  text: z.string(),
});
export type TextDelta = z.infer<typeof textDelta>;

/** Whether nothing goes on that was being written: no block is completed after it. */
export const endsOpenText = ({ type }: Pick<FeedEvent, 'type'>): boolean =>
  type === 'turn/ended' || type === 'engine/exited' || type === 'session/ended';
