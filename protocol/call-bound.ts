import type { OwnPrice } from './own-price.ts';
import { estimateMicroUsd, type Tokens } from './prices.ts';

/**
 * Bytes of a request that one token of it has at least. Text and code of any language have more,
 * the names and quotes of JSON far more.
 */
const BYTES_PER_TOKEN = 2;

const NONE: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const MANY = 1_000_000;

/** Most tokens that a request of so many bytes can be. */
export const estimateInputTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** A call of a model before it is made: its request in bytes, and the longest answer that it allows. */
export type AskedCall = {
  model: string;
  bytes: number;
  outputTokens: number;
  /** What a person says that it costs; null or absent: its list price. */
  price?: OwnPrice | null | undefined;
};

/** The most that a call can come to. */
export type CallBound = { microUsd: number; inputMicroUsd: number; outputMicroUsd: number };

/**
 * Bounds what a call can come to, in micro-USD: its request as tokens that are read or written to a
 * cache, whichever costs more, and the longest answer. `outputMicroUsd` is of one token. Null for a
 * model without a known price.
 */
export function boundOfCall({ model, bytes, outputTokens, price }: AskedCall): CallBound | null {
  const tokens = estimateInputTokens(bytes);
  const read = estimateMicroUsd(model, { ...NONE, inputTokens: tokens }, price);
  const written = estimateMicroUsd(model, { ...NONE, cacheWriteTokens: tokens }, price);
  const output = estimateMicroUsd(model, { ...NONE, outputTokens: MANY }, price);
  if (read === null || written === null || output === null) return null;
  const inputMicroUsd = Math.max(read, written);
  const outputMicroUsd = output / MANY;
  return {
    inputMicroUsd,
    outputMicroUsd,
    microUsd: Math.ceil(inputMicroUsd + outputTokens * outputMicroUsd),
  };
}
