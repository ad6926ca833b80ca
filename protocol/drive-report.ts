import { z } from 'zod';
import { commandId, instanceId } from './ids.ts';

/** Whose write to a terminal it is: an instance, and the name that its caller gave the call. */
export const driveName = z.object({ instanceId, callId: z.string().min(1).max(120) });
export type DriveName = z.infer<typeof driveName>;

/** Most models that one report names. */
const MODELS_MAX = 20;
const tokens = z.int().nonnegative();

/** One model's tokens in it. */
const reportedModel = z.object({
  model: z.string().min(1).max(200),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  /** Micro-USD by the dated list prices; null where the model has none, which is not zero. */
  microUsd: z.int().nonnegative().nullable(),
});
export type ReportedModel = z.infer<typeof reportedModel>;

/**
 * What a program in a terminal wrote down itself of its own cost, from a write to it until it was
 * idle again. Nobody measured it: it stands beside what was measured, and is never added to that.
 */
export const driveReport = z.object({
  /** The command that was the write. */
  id: commandId,
  drive: driveName,
  engine: z.string().min(1).max(40),
  at: z.int(),
  models: z.array(reportedModel).min(1).max(MODELS_MAX),
});
export type DriveReport = z.infer<typeof driveReport>;

/** What such reports come to. */
export const selfReported = z.object({
  /** Writes that a report is about. */
  drives: z.int().nonnegative(),
  /** Of those models that have a price. */
  microUsd: z.int().nonnegative(),
  /** Reports with a model that has none: the sum is short of theirs. */
  unpriced: z.int().nonnegative(),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
});
export type SelfReported = z.infer<typeof selfReported>;
