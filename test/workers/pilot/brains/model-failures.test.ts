import { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai';
import { describe, expect, test } from 'vitest';
import {
  failureOf,
  mayBeCharged,
  UnreachableError,
} from '../../../../workers/pilot/brains/model-failures.ts';
import { unsettledUsage, usageOf } from '../../../../workers/pilot/brains/model-usage.ts';

const SECRET = 'sk-ant-secret-0123456789';
const MINUTE = 60_000;

const answered = (statusCode: number | undefined, retryAfter?: string): APICallError =>
  new APICallError({
    message: `the key ${SECRET} is not known here`,
    url: `https://api.example.com/v1/messages?key=${SECRET}`,
    requestBodyValues: { prompt: SECRET },
    responseBody: SECRET,
    ...(statusCode !== undefined && { statusCode }),
    ...(retryAfter !== undefined && { responseHeaders: { 'retry-after': retryAfter } }),
  });
const timedOut = () => Object.assign(new Error(SECRET), { name: 'TimeoutError' });
const unreadable = (finishReason: 'stop' | 'length' | 'content-filter') =>
  new NoObjectGeneratedError({
    message: SECRET,
    text: SECRET,
    response: { id: '1', timestamp: new Date(0), modelId: 'm' },
    usage: {} as never,
    finishReason,
  });

describe('a failed call of a model', () => {
  test.each<[string, unknown, string, number | null | undefined, boolean]>([
    ['a refused key', answered(401), 'unavailable', null, false],
    ['a forbidden one', answered(403), 'unavailable', null, false],
    ['a model that is not there', answered(404), 'unavailable', null, false],
    ['a request that is wrong', answered(400), 'unavailable', null, false],
    ['a redirect that is not followed', answered(307), 'unavailable', null, false],
    ['too many requests', answered(429), 'unavailable', MINUTE, false],
    ['too many requests, for ten minutes', answered(429, '600'), 'unavailable', 10 * MINUTE, false],
    ['a wait of no time', answered(429, '0'), 'unavailable', 1_000, false],
    ['a wait of years', answered(503, '99999999'), 'unavailable', 24 * 60 * MINUTE, false],
    ['a wait into the past', answered(503, '-5'), 'unavailable', MINUTE, false],
    [
      'a wait that is a date',
      answered(503, 'Mon, 30 Nov 2026 09:00:00 GMT'),
      'unavailable',
      MINUTE,
      false,
    ],
    ['an overload', answered(529), 'unavailable', MINUTE, false],
    ['no connection', new UnreachableError(), 'unavailable', MINUTE, false],
    ['no status', answered(undefined), 'unavailable', MINUTE, false],
    ['its time over', timedOut(), 'unavailable', MINUTE, true],
    ['an answer that is no JSON', answered(200), 'undecided', undefined, true],
    ['an answer in another form', unreadable('stop'), 'undecided', undefined, true],
    ['an answer cut off', unreadable('length'), 'undecided', undefined, true],
    ['a refusal', unreadable('content-filter'), 'undecided', undefined, true],
    ['no answer', new NoOutputGeneratedError({}), 'undecided', undefined, true],
    ['something that nobody thought of', 'a string', 'undecided', undefined, true],
  ])('by %s', (_, error, kind, waitMs, charged) => {
    const failure = failureOf(error);
    expect(failure.kind).toBe(kind);
    expect('waitMs' in failure ? failure.waitMs : undefined).toBe(waitMs);
    expect(mayBeCharged(error, failure)).toBe(charged);
    // A provider's words may hold the key, and none of them is repeated.
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  });

  test('says which of the ways an answer can be no decision it was', () => {
    const said = (['stop', 'length', 'content-filter'] as const).map((reason) =>
      JSON.stringify(failureOf(unreadable(reason))),
    );
    expect(new Set(said).size).toBe(3);
  });
});

describe('what a call used', () => {
  const told = (over: object) =>
    ({
      inputTokens: 100,
      outputTokens: 10,
      inputTokenDetails: {},
      outputTokenDetails: {},
      ...over,
    }) as never;

  test.each<[string, object, object]>([
    ['all of it new', {}, { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 }],
    [
      'some of it from a cache',
      { inputTokenDetails: { cacheReadTokens: 80, cacheWriteTokens: 5 } },
      { inputTokens: 15, cacheReadTokens: 80, cacheWriteTokens: 5 },
    ],
    [
      'what was not cached told apart',
      { inputTokenDetails: { noCacheTokens: 20, cacheReadTokens: 80 } },
      { inputTokens: 20, cacheReadTokens: 80 },
    ],
    [
      'more from a cache than there was',
      { inputTokenDetails: { cacheReadTokens: 500 } },
      { inputTokens: 0, cacheReadTokens: 500 },
    ],
    ['fewer than no tokens', { inputTokens: -4 }, { inputTokens: 0 }],
    ['a part of a token', { outputTokens: 1.5 }, { outputTokens: 0 }],
    ['no number', { outputTokens: Number.NaN }, { outputTokens: 0 }],
  ])('with %s', (_, over, expected) => {
    expect(usageOf('claude-sonnet-4-5', told(over))).toMatchObject({
      provenance: 'estimated',
      ...expected,
    });
  });

  test('is unsettled where no figure came', () => {
    const nothing = told({ inputTokens: undefined, outputTokens: undefined });
    expect(usageOf('m', nothing)).toEqual(unsettledUsage('m'));
    expect(unsettledUsage('m')).toMatchObject({ provenance: 'unsettled', microUsd: null });
  });
});
