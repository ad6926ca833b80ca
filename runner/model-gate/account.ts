import { estimateMicroUsd, type Tokens } from '../../protocol/prices.ts';
import type { CallFacts } from './protocol.ts';

/** What a session may still spend, in micro-USD. */
export type Standing = {
  /** Most that its calls may come to, all together; null is no limit. */
  grantMicroUsd: number | null;
  spentMicroUsd: number;
  /** What calls under way may still come to. */
  reservedMicroUsd: number;
};

export type CallDecision =
  /** `maxOutputTokens` is a limit to put in; null leaves the request as it is, to the byte. */
  | { kind: 'go'; reserveMicroUsd: number; maxOutputTokens: number | null }
  /** What others hold may come free. */
  | { kind: 'wait' }
  | { kind: 'refuse'; why: 'spent' | 'too_large' | 'unpriced' };

/** An answer with less room than this is worth nothing to an engine. */
export const LEAST_OUTPUT_TOKENS = 1_024;

/**
 * Bytes of a request that one token of it has at least. Text and code of any language have more,
 * the names and quotes of JSON far more.
 */
const BYTES_PER_TOKEN = 2;

/**
 * Decides whether a call may begin: only when the most that it can come to is within what is left.
 * A call that would fit with a lower limit of its answer is given that one, once nothing else of
 * the session is under way; what others reserved may come free, so that it waits for them.
 */
export function decideCall(
  standing: Standing,
  call: CallFacts & { bytes: number; usualOutputTokens: number },
): CallDecision {
  const { grantMicroUsd, spentMicroUsd, reservedMicroUsd } = standing;
  const bound = boundOf(call);
  if (grantMicroUsd === null)
    return { kind: 'go', reserveMicroUsd: bound?.microUsd ?? 0, maxOutputTokens: null };
  if (bound === null) return { kind: 'refuse', why: 'unpriced' };
  const left = grantMicroUsd - spentMicroUsd;
  if (bound.microUsd <= left - reservedMicroUsd)
    return {
      kind: 'go',
      reserveMicroUsd: bound.microUsd,
      // A model that may write without end is told the end that was counted on.
      maxOutputTokens: call.maxOutputTokens === null ? call.usualOutputTokens : null,
    };
  if (left <= 0) return { kind: 'refuse', why: 'spent' };
  if (reservedMicroUsd > 0) return { kind: 'wait' };
  const affordable = Math.floor((left - bound.inputMicroUsd) / bound.outputMicroUsd);
  if (affordable < Math.max(LEAST_OUTPUT_TOKENS, call.leastOutputTokens))
    return { kind: 'refuse', why: 'too_large' };
  return { kind: 'go', reserveMicroUsd: left, maxOutputTokens: affordable };
}

type Bound = { microUsd: number; inputMicroUsd: number; outputMicroUsd: number };

const NONE: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const MANY = 1_000_000;

/** The most that a call can come to; null for a model without a known price. */
function boundOf(call: Parameters<typeof decideCall>[1]): Bound | null {
  const tokens = estimateInputTokens(call.bytes);
  const read = estimateMicroUsd(call.model, { ...NONE, inputTokens: tokens });
  const written = estimateMicroUsd(call.model, { ...NONE, cacheWriteTokens: tokens });
  const output = estimateMicroUsd(call.model, { ...NONE, outputTokens: MANY });
  if (read === null || written === null || output === null) return null;
  const inputMicroUsd = Math.max(read, written);
  const outputMicroUsd = output / MANY;
  const most = call.maxOutputTokens ?? call.usualOutputTokens;
  return {
    inputMicroUsd,
    outputMicroUsd,
    microUsd: Math.ceil(inputMicroUsd + most * outputMicroUsd),
  };
}

/** Most tokens that a request of so many bytes can be. */
export const estimateInputTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
