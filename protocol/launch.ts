import { z } from 'zod';
import { engineId } from './engine-id.ts';
import { grade } from './grade.ts';
import { network } from './network.ts';
import { policySnapshot } from './merge-policy.ts';
import { instructionText } from './instruction.ts';
import { type PilotMode, pilotSpec } from './pilot.ts';
import { enginePreset } from './preset.ts';
import { earlierWork } from './story.ts';

/** How much the engine may do before it asks. Each engine maps it to its own flags. */
export const approvalsMode = z.enum(['ask', 'accept_edits', 'plan', 'bypass']);
export type ApprovalsMode = z.infer<typeof approvalsMode>;

/** The engine that asks no model anything: it may be launched without a directory. */
export const REHEARSAL_ENGINE_ID = 'rehearsal';

/** Silence of an engine at work after which it is ended, in milliseconds: 15 minutes. */
export const NO_OUTPUT_MS = 15 * 60_000;
export const NO_OUTPUT_MIN_MS = 1_000;
/** How long an engine may say nothing when it is started, where its machine says nothing else. */
export const START_MS = 120_000;
export const NO_OUTPUT_MAX_MS = 24 * 3_600_000;
export const noOutputTime = z.int().min(NO_OUTPUT_MIN_MS).max(NO_OUTPUT_MAX_MS);

/** How long an approval waits for a person before it is denied, in milliseconds: a day. */
export const ANSWER_MS = 24 * 3_600_000;
export const ANSWER_MIN_MS = 1_000;
export const ANSWER_MAX_MS = 30 * 24 * 3_600_000;
export const answerTime = z.int().min(ANSWER_MIN_MS).max(ANSWER_MAX_MS);

/** What a session may come to beside dollars; null is no limit of that kind. */
export const sessionLimits = z.object({
  /** Read, from a cache or not, and written. */
  tokens: z.int().positive().nullable().default(null),
  turns: z.int().positive().nullable().default(null),
  /** Of its turns from their beginning to their end, in ms. */
  timeMs: z.int().min(1_000).nullable().default(null),
});
export type SessionLimits = z.infer<typeof sessionLimits>;

/** What a person asks for when launching a session: enough to launch it again. */
export const launchSpec = z.object({
  engineId,
  /**
   * The engine itself, as the account keeps it; null is one that the runner's own code has. The
   * machine runs it only as far as it was approved there.
   */
  preset: enginePreset.nullable().default(null),
  /** Absolute path on the runner's machine; null lets the rehearsal make its own repository. */
  directory: z.string().min(1).max(4096).nullable(),
  objective: instructionText,
  /** `own`: a checkout of the session's own. `inPlace`: the directory itself. */
  checkout: z.enum(['own', 'inPlace']).default('own'),
  /** Branch or commit to start from; null is what the directory has checked out. */
  baseRef: z.string().min(1).max(200).nullable().default(null),
  fromUncommitted: z.boolean().default(false),
  approvals: approvalsMode.default('ask'),
  model: z.string().min(1).max(100).nullable().default(null),
  /**
   * A conversation that was begun by hand, by the engine's own id: it goes on where it was begun,
   * so `inPlace` alone. Null begins a new one.
   */
  conversation: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/,
      'the id of a conversation is one word, as its engine prints it',
    )
    .nullable()
    .default(null),
  /**
   * The work of another session that this one goes on with, as its engine is told of it before
   * the first instruction: nothing of it is remembered. Null begins with nothing.
   */
  from: earlierWork.nullable().default(null),
  /** Stop when the session has cost this much; null is no limit. */
  budgetMicroUsd: z.int().positive().nullable().default(null),
  /** Stop when its turns have come to so much beside dollars; null or absent is no limit. */
  limits: sessionLimits.nullable().optional(),
  /**
   * End the turn when the engine has said nothing for so long, in milliseconds. Long, because a
   * build or a test run may be silent; it is there for an engine that hangs.
   */
  noOutputMs: noOutputTime.default(NO_OUTPUT_MS),
  /** Deny an approval that nobody answered for so long, in milliseconds, and say that it expired. */
  answerMs: answerTime.default(ANSWER_MS),
  /** How much power it holds; null is what the machine gives where nobody chose. */
  grade: grade.nullable().default(null),
  /** What it reaches; null or absent is what the machine gives where nobody chose. */
  network: network.nullable().optional(),
  /** What it may push, as it was read when it was launched; null is what nobody has changed. */
  policy: policySnapshot.nullable().default(null),
  /** Who gives the instructions after the first; null is a person. */
  pilot: pilotSpec.nullable().default(null),
});
export type LaunchSpec = z.infer<typeof launchSpec>;
export type LaunchSpecInput = z.input<typeof launchSpec>;

/** The mode of a launch; one from before there was a Pilot is driven by a person. */
export function modeOf(launch: { pilot?: LaunchSpec['pilot'] }): PilotMode {
  return launch.pilot?.mode ?? 'manual';
}

/** A session's title: the first line of its objective, cut at a word. */
export function titleOf(objective: string, maxChars = 80): string {
  const line = objective.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > maxChars / 2 ? cut.slice(0, space) : cut}…`;
}

/** The stages that a launch passes, in order. "Process exists" is not "ready". */
export const LAUNCH_STAGES = [
  'queued',
  'spawned',
  'bootstrap_submitted',
  'bootstrap_confirmed',
] as const;
export const launchStage = z.enum(LAUNCH_STAGES);
export type LaunchStage = z.infer<typeof launchStage>;

/** Why a provider or an engine did not get as far as working. */
export const PROVIDER_FAILURES = [
  'auth_missing',
  'auth_expired',
  'rate_limited',
  'quota_exhausted',
  'model_not_found',
  'overloaded',
  'engine_missing',
  'engine_too_old',
  // A look before the launch did not answer in time, and the answer decides.
  'preflight_slow',
  // The engine's own settings keep it from starting.
  'settings_unusable',
  'workspace_refused',
  // The engine was to resume a conversation, and does not know it.
  'conversation_lost',
  'engine_crashed',
  'no_output',
  'output_too_large',
  'unknown',
] as const;
export const providerFailure = z.enum(PROVIDER_FAILURES);
export type ProviderFailure = z.infer<typeof providerFailure>;
