import type { LanguageModelUsage } from 'ai';
import type { OwnPrice } from '../../../protocol/own-price.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** What a provider's figures are in the ledger. Providers tell tokens; dollars are an estimate. */
export function usageOf(
  model: string,
  usage: LanguageModelUsage,
  price: OwnPrice | null = null,
): UsageEntry {
  const { inputTokens, outputTokens, inputTokenDetails: details } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return unsettledUsage(model);
  const cacheReadTokens = count(details.cacheReadTokens);
  const cacheWriteTokens = count(details.cacheWriteTokens);
  const plain = details.noCacheTokens ?? count(inputTokens) - cacheReadTokens - cacheWriteTokens;
  const tokens = {
    inputTokens: count(plain),
    outputTokens: count(outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
  const microUsd = estimateMicroUsd(model, tokens, price);
  return { model, provenance: 'estimated', payer: 'api-key', ...tokens, microUsd };
}

/** A call that may have been charged, of which no figure came. */
export function unsettledUsage(model: string): UsageEntry {
  return { model, provenance: 'unsettled', payer: 'api-key', ...NO_TOKENS, microUsd: null };
}

/** Whether a call may have been served of which nobody knows what it came to; null was not served. */
export const isLost = (usage: UsageEntry | null): boolean =>
  usage?.provenance === 'unsettled' && usage.microUsd === null;

/** A figure from outside: what is no number of tokens counts as none. */
const count = (tokens: number | undefined): number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
