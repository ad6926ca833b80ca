import { describe, expect, it } from 'vitest';
import { estimateMicroUsd } from '../../../runner/engines/prices.ts';
import { billOf } from '../../support/model-api/bill.ts';

/** Models whose prices were measured by serving known token counts to the real engine. */
const MEASURED = [
  'claude-opus-5-5',
  'claude-fable-5-2',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-sonnet-4-5',
];

describe('the price table', () => {
  it.each(MEASURED)('agrees with what the engine itself charged for %s', (model) => {
    const usage = {
      input_tokens: 12_345,
      output_tokens: 6_789,
      cache_read_input_tokens: 54_321,
      cache_creation_input_tokens: 987,
    };
    const estimate = estimateMicroUsd(model, {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_input_tokens,
      cacheWriteTokens: usage.cache_creation_input_tokens,
    });
    expect(estimate).toBe(billOf([{ model, usage, complete: true }]));
  });

  it('knows a dated release by its model’s name', () => {
    const tokens = {
      inputTokens: 1_000_000,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    };
    expect(estimateMicroUsd('claude-opus-5-5-20261101', tokens)).toBe(4_000_000);
  });
});
