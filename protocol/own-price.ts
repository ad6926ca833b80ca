import { z } from 'zod';
import { type DecimalMark, readDecimal, writeDecimal } from './amounts.ts';

/** Micro-USD for a million tokens. */
const perMillion = z.int().nonnegative().max(10_000_000_000);

/**
 * What a person says that the models of a key cost: for those of no list, for a contract of their own,
 * or zero for models on their own machine. What is read from a cache, or written to it, costs as
 * plain input where nothing else is said.
 */
export const ownPrice = z.object({
  inputMicroUsd: perMillion,
  outputMicroUsd: perMillion,
  cacheReadMicroUsd: perMillion.optional(),
  cacheWriteMicroUsd: perMillion.optional(),
});
export type OwnPrice = z.infer<typeof ownPrice>;

/** How a price is typed: dollars for a million tokens, of input, output, and of a cache. */
export const OWN_PRICE_FORM = 'INPUT/OUTPUT[/CACHE-READ[/CACHE-WRITE]]';

const PART = /^\d{1,5}(\.\d{1,6})?$/;

/** The price that `text` says, such as `0.15/0.60`; `0` alone is free. Undefined where it says none. */
export function parseOwnPrice(text: string, mark: DecimalMark = '.'): OwnPrice | undefined {
  const parts = text.split('/').map((part) => readDecimal(part.trim(), mark) ?? '');
  if (!parts.every((part) => PART.test(part)) || parts.length > 4) return undefined;
  const [input = 0, output, cacheReadMicroUsd, cacheWriteMicroUsd] = parts.map((part) =>
    Math.round(Number(part) * 1_000_000),
  );
  if (output === undefined && input !== 0) return undefined;
  return {
    inputMicroUsd: input,
    outputMicroUsd: output ?? 0,
    ...(cacheReadMicroUsd !== undefined && { cacheReadMicroUsd }),
    ...(cacheWriteMicroUsd !== undefined && { cacheWriteMicroUsd }),
  };
}

/** The same as it is typed. */
export function writeOwnPrice(price: OwnPrice, mark: DecimalMark = '.'): string {
  const { inputMicroUsd, outputMicroUsd, cacheReadMicroUsd, cacheWriteMicroUsd } = price;
  const read = cacheReadMicroUsd ?? (cacheWriteMicroUsd === undefined ? undefined : inputMicroUsd);
  return [inputMicroUsd, outputMicroUsd, read, cacheWriteMicroUsd]
    .flatMap((microUsd) =>
      microUsd === undefined ? [] : [writeDecimal(microUsd / 1_000_000, mark)],
    )
    .join('/');
}

/** A price in words, as what a person said it is. */
export function sayOwnPrice(price: OwnPrice): string {
  if (Object.values(price).every((microUsd) => microUsd === 0)) return 'your price: free';
  const dollars = (microUsd: number) => `$${microUsd / 1_000_000}`;
  const { inputMicroUsd, outputMicroUsd } = price;
  return `your price: ${dollars(inputMicroUsd)} in, ${dollars(outputMicroUsd)} out for a million tokens`;
}
