import { boundOfCall } from '../../protocol/call-bound.ts';
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
 * Decides whether a call may begin: only when the most that it can come to is within what is left.
 * A call that would fit with a lower limit of its answer is given that one, once nothing else of
 * the session is under way; what others reserved may come free, so that it waits for them.
 */
export function decideCall(
  standing: Standing,
  call: CallFacts & { bytes: number; usualOutputTokens: number },
): CallDecision {
  const { grantMicroUsd, spentMicroUsd, reservedMicroUsd } = standing;
  const { maxOutputTokens, usualOutputTokens } = call;
  const bound = boundOfCall({ ...call, outputTokens: maxOutputTokens ?? usualOutputTokens });
  if (grantMicroUsd === null)
    return { kind: 'go', reserveMicroUsd: bound?.microUsd ?? 0, maxOutputTokens: null };
  if (bound === null) return { kind: 'refuse', why: 'unpriced' };
  const left = grantMicroUsd - spentMicroUsd;
  if (bound.microUsd <= left - reservedMicroUsd)
    return {
      kind: 'go',
      reserveMicroUsd: bound.microUsd,
      // A model that may write without end is told the end that was counted on.
      maxOutputTokens: maxOutputTokens === null ? usualOutputTokens : null,
    };
  if (left <= 0) return { kind: 'refuse', why: 'spent' };
  if (reservedMicroUsd > 0) return { kind: 'wait' };
  const affordable = Math.floor((left - bound.inputMicroUsd) / bound.outputMicroUsd);
  if (affordable < Math.max(LEAST_OUTPUT_TOKENS, call.leastOutputTokens))
    return { kind: 'refuse', why: 'too_large' };
  return { kind: 'go', reserveMicroUsd: left, maxOutputTokens: affordable };
}
