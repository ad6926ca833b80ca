import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../../runner/engines/acp/failures.ts';

const TRAITS = { usage: 'none', loginAdvice: 'Log in there.' } as const;
const codeOf = (code: number, message: string, data?: unknown) =>
  failureOf(TRAITS, { code, message, data }).code;

describe('an error answer', () => {
  test.each([
    [-32_000, 'Authentication required', undefined, 'auth_missing'],
    [401, 'No.', undefined, 'auth_expired'],
    [429, 'No.', undefined, 'rate_limited'],
    [503, 'No.', undefined, 'overloaded'],
    [-32_603, 'No.', { status: 404 }, 'model_not_found'],
    [-32_603, 'No.', { statusCode: 403 }, 'auth_expired'],
    [-32_603, 'No.', { httpStatus: 500 }, 'overloaded'],
    [-32_603, 'No.', { status: 200 }, 'unknown'],
    [-32_603, 'No.', { status: '429' }, 'unknown'],
    [600, 'No.', undefined, 'unknown'],
  ])('is told by its code or the status in its data: %d %s %j', (code, message, data, kind) => {
    expect(codeOf(code, message, data)).toBe(kind);
  });

  test.each([
    ['You have insufficient account balance', 'quota_exhausted'],
    ['Rate-limit reached', 'rate_limited'],
    ['Invalid X-API-Key', 'auth_expired'],
    ['unauthorised', 'auth_expired'],
    ['fetch failed', 'overloaded'],
    ['connect ECONNREFUSED', 'overloaded'],
    ['model x/y not found', 'model_not_found'],
    ['It rained', 'unknown'],
  ])('is told by the words of a provider where there is no status: %s', (words, kind) => {
    expect(codeOf(-32_603, words)).toBe(kind);
    expect(codeOf(-32_603, 'Internal error', { details: words })).toBe(kind);
  });

  test('goes by its status before its words, but for a key that is called invalid with a 400', () => {
    expect(codeOf(429, 'Quota exceeded for the model')).toBe('rate_limited');
    expect(codeOf(400, 'API_KEY_INVALID')).toBe('auth_expired');
  });

  test('goes by its words first where its status is the one for failures without any', () => {
    expect(codeOf(500, 'model: gone-9 was not found')).toBe('model_not_found');
    expect(codeOf(500, 'It rained')).toBe('overloaded');
    expect(codeOf(503, 'model: gone-9 was not found')).toBe('overloaded');
  });

  test('is read with what to do first and then what the engine said, once', () => {
    const said = (data: unknown) =>
      failureOf(TRAITS, { code: 401, message: 'No key', data }).message;
    expect(said(null)).toBe('Log in there. (The engine says: No key)');
    expect(said({ message: 'It ended' })).toBe('Log in there. (The engine says: No key: It ended)');
    expect(said({ error: 'No key' })).toBe('Log in there. (The engine says: No key)');
    expect(said({ details: 7, error: ['x'] })).toBe('Log in there. (The engine says: No key)');
  });
});
