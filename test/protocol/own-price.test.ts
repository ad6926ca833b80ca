import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOfCall } from '../../protocol/call-bound.ts';
import {
  type OwnPrice,
  ownPrice,
  parseOwnPrice,
  sayOwnPrice,
  writeOwnPrice,
} from '../../protocol/own-price.ts';
import { estimateMicroUsd } from '../../protocol/prices.ts';

const NONE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const OWN: OwnPrice = { inputMicroUsd: 150_000, outputMicroUsd: 600_000 };

describe('a price that a person says', () => {
  it.each([
    ['0', { inputMicroUsd: 0, outputMicroUsd: 0 }],
    ['0.15/0.60', OWN],
    [' 0.15 / 0.6 / 0.015 ', { ...OWN, cacheReadMicroUsd: 15_000 }],
    ['0.15/0.6/0/1', { ...OWN, cacheReadMicroUsd: 0, cacheWriteMicroUsd: 1_000_000 }],
    ['3', undefined],
    ['', undefined],
    ['-1/2', undefined],
    ['1/2/3/4/5', undefined],
    ['1e3/2', undefined],
  ])('of %j is %j', (text, price) => {
    expect(parseOwnPrice(text)).toEqual(price);
  });

  it('is typed as it is written', () => {
    const micro = fc.integer({ min: 0, max: 99_999_000_000 / 10 });
    const some = fc.record(
      {
        inputMicroUsd: micro,
        outputMicroUsd: micro,
        cacheReadMicroUsd: micro,
        cacheWriteMicroUsd: micro,
      },
      { requiredKeys: ['inputMicroUsd', 'outputMicroUsd'] },
    );
    fc.assert(
      fc.property(some, (price) => {
        fc.pre(ownPrice.safeParse(price).success);
        const again = parseOwnPrice(writeOwnPrice(price));
        const tokens = { ...NONE, cacheReadTokens: 1_000_000, cacheWriteTokens: 3_000_000 };
        expect(again).toMatchObject({ inputMicroUsd: price.inputMicroUsd });
        expect(estimateMicroUsd('any', tokens, again)).toBe(estimateMicroUsd('any', tokens, price));
      }),
    );
  });

  it('is said as theirs', () => {
    expect(sayOwnPrice(OWN)).toBe('your price: $0.15 in, $0.6 out for a million tokens');
    expect(sayOwnPrice({ inputMicroUsd: 0, outputMicroUsd: 0 })).toBe('your price: free');
  });

  it('counts for a model of no list, and in the place of a list', () => {
    const tokens = { ...NONE, inputTokens: 1_000_000, outputTokens: 500_000 };
    expect(estimateMicroUsd('@cf/meta/llama', tokens)).toBeNull();
    expect(estimateMicroUsd('@cf/meta/llama', tokens, OWN)).toBe(450_000);
    expect(estimateMicroUsd('claude-haiku-4-5', tokens, OWN)).toBe(450_000);
    const cached = { ...NONE, cacheReadTokens: 1_000_000 };
    expect(estimateMicroUsd('any', cached, OWN)).toBe(150_000);
  });

  it('bounds a call before it is made', () => {
    const call = { model: '@cf/meta/llama', bytes: 2_000_000, outputTokens: 1_000_000 };
    expect(boundOfCall(call)).toBeNull();
    expect(boundOfCall({ ...call, price: OWN })?.microUsd).toBe(750_000);
    const free = { inputMicroUsd: 0, outputMicroUsd: 0 };
    expect(boundOfCall({ ...call, price: free })?.microUsd).toBe(0);
  });
});
