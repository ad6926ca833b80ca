import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { estimateMicroUsd } from '../../protocol/prices.ts';
import { billOf } from '../support/model-api/bill.ts';

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

  const GEMINI = [
    'gemini-3.8-flash',
    'gemini-3.5-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.1-pro-preview',
    'gemini-3.1-pro-preview-customtools',
    'gemini-3.1-flash-lite',
    'gemini-3-pro-preview',
    'gemini-3-flash-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
  ];

  it.each(GEMINI)('agrees with a table that others keep for %s', (model) => {
    const tokens = {
      inputTokens: 60_000,
      outputTokens: 7_000,
      cacheReadTokens: 90_000,
      cacheWriteTokens: 0,
    };
    const theirs = calcPrice(
      { input_tokens: 150_000, cache_read_tokens: 90_000, output_tokens: 7_000 },
      model,
      { providerId: 'google' },
    );
    expect(estimateMicroUsd(model, tokens)).toBe(
      Math.round((theirs?.total_price ?? Number.NaN) * 1e6),
    );
  });

  it.each([
    'gemini-2.5-flash-image',
    'gemini-3.1-flash-live-preview',
    'gemini-3.9-flash',
    'gemini-4-pro',
    'auto',
    'claude-opus-5-50',
    '',
  ])('has no price for %s, which is another model than any it knows', (model) => {
    const tokens = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 };
    expect(estimateMicroUsd(model, tokens)).toBeNull();
  });

  it.each([
    'claude-opus-5-5[1m]',
    'claude-sonnet-4-5@20250929',
    'gemini-2.5-flash-preview-09-2025',
  ])('takes %s for the model that it is a form of', (model) => {
    const tokens = { inputTokens: 1e6, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(estimateMicroUsd(model, tokens)).toBeGreaterThan(0);
  });
});
