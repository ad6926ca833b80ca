import { z } from 'zod';
import { commandResult, commandSchema } from './command.ts';
import { driveReport } from './drive-report.ts';
import { driveWitness } from './drive-witness.ts';
import { sequencedEvent, textDelta } from './engine-event.ts';
import { commandId, runnerId, sessionId } from './ids.ts';
import { machineFacts } from './machine.ts';
import { paneQuestion, questionKept } from './pane-question.ts';
import { refusalReason } from './version.ts';

const cursor = z.object({ sessionId, upTo: z.int().nonnegative() });

/** Most events of one session in one frame. */
export const FRAME_MAX_EVENTS = 500;
/** Longest frame that a runner sends, in characters: the whole output of a tool, escaped. */
export const RUNNER_FRAME_MAX_CHARS = 32 * 1024 * 1024;
/** More sessions than any machine has open at once; each costs the cloud a question to its feed. */
const MAX_SESSIONS = 10_000;
const MAX_DELTAS = 2_000;

/** Runner → cloud. */
export const runnerFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('initialize'),
    version: z.int(),
    capabilities: z.array(z.string()),
    runnerId,
    machine: machineFacts,
    /** The sessions whose outbox is not empty, with the last seq that each has made. */
    sessions: z.array(z.object({ sessionId, lastSeq: z.int().nonnegative() })).max(MAX_SESSIONS),
  }),
  z.object({
    type: z.literal('events'),
    events: z.array(sequencedEvent).min(1).max(FRAME_MAX_EVENTS),
  }),
  z.object({ type: z.literal('deltas'), deltas: z.array(textDelta).min(1).max(MAX_DELTAS) }),
  z.object({ type: z.literal('result'), id: commandId, result: commandResult }),
  z.object({ type: z.literal('machine'), machine: machineFacts }),
  /** Sent again until it is confirmed. */
  z.object({ type: z.literal('driveReport'), report: driveReport }),
  /** Sent at each change, and again until its end is confirmed. */
  z.object({ type: z.literal('paneQuestion'), question: paneQuestion }),
  /** The same of what moved. */
  z.object({ type: z.literal('driveWitness'), report: driveWitness }),
]);
export type RunnerFrame = z.infer<typeof runnerFrame>;

/** Cloud → runner. */
export const relayFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('initialized'),
    version: z.int(),
    capabilities: z.array(z.string()),
    /** What the cloud has stored of each session that the runner named. */
    cursors: z.array(cursor),
  }),
  z.object({ type: z.literal('refused'), reason: refusalReason, message: z.string() }),
  z.object({ type: z.literal('ack'), cursors: z.array(cursor).min(1) }),
  z.object({ type: z.literal('command'), command: commandSchema }),
  /** The report of this write is stored. */
  z.object({ type: z.literal('driveReported'), id: commandId }),
  /** What the cloud has of a question in a terminal, and the answer where there is one. */
  z.object({ type: z.literal('questionKept'), kept: questionKept }),
  z.object({ type: z.literal('driveWitnessed'), id: commandId }),
  /** Its events will never be stored: the session is not there, or another machine's. */
  z.object({
    type: z.literal('sessionRefused'),
    sessionId,
    code: z.enum(['session_not_found', 'forbidden']),
  }),
]);
export type RelayFrame = z.infer<typeof relayFrame>;

/** Heartbeat texts, outside JSON: answered by the platform without waking the object. */
export const PING = 'ping';
export const PONG = 'pong';
