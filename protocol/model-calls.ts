import { z } from 'zod';
import { turnId } from './ids.ts';

const count = z.int().nonnegative();

/** Which way the engine's calls of its model go. */
export const modelThrough = z.enum(['gate', 'provider']);

/** Which way an engine calls its model from now on, and, past the gate, why. */
export const modelRouted = z.object({
  through: modelThrough,
  /** A sentence; null where there is nothing to explain. */
  reason: z.string().nullable(),
});

/** What the model gate saw of a turn: a second witness of what the engine tells itself. */
export const modelMetered = z.object({
  turnId: turnId.nullable(),
  calls: count,
  /** Not begun, because a budget did not cover them or nobody knows what they cost. */
  refused: count,
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** Millionths of a US dollar at list prices; null when a model of them has no known price. */
  microUsd: count.nullable(),
  /** What the engine told of the same work; null when it told no dollars. */
  engineMicroUsd: count.nullable(),
});
export type ModelMetered = z.infer<typeof modelMetered>;

/** Everything that the gate saw of a session, beside what its engine told. */
export const modelCalls = z.object({
  through: modelThrough,
  reason: z.string().nullable(),
  calls: count,
  refused: count,
  /** Of the calls with a known price. */
  microUsd: count,
  /** What the engine told of the same turns; null as long as it told no dollars. */
  engineMicroUsd: count.nullable(),
  /** Of `microUsd`, what was spent in turns of which the engine told none; absent is nothing. */
  untoldMicroUsd: count.optional(),
});
export type ModelCalls = z.infer<typeof modelCalls>;

/** Below this part of the sum, and below a cent, two witnesses of one sum are taken to agree. */
const AGREES_PART = 0.01;
const AGREES_MICRO_USD = 10_000;

/** How far the engine's own figures are from what the gate saw, in micro-USD; null when they agree. */
export function modelDifference({
  microUsd,
  engineMicroUsd,
  untoldMicroUsd = 0,
}: Pick<ModelCalls, 'microUsd' | 'engineMicroUsd' | 'untoldMicroUsd'>): number | null {
  if (engineMicroUsd === null) return null;
  const apart = engineMicroUsd - (microUsd - untoldMicroUsd);
  const agrees = Math.max(AGREES_MICRO_USD, microUsd * AGREES_PART);
  return Math.abs(apart) <= agrees ? null : apart;
}
