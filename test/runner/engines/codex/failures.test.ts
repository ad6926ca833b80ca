import { describe, expect, test } from 'vitest';
import { isRefused, parseFailure } from '../../../../runner/engines/codex/failures.ts';

const BODY = JSON.stringify({ error: { type: 'invalid_request_error', message: 'Too long.' } });
const DETAIL = JSON.stringify({
  detail: "The 'gone-9' model is not supported when using Codex with a ChatGPT account.",
});

describe('a failure that codex tells of', () => {
  test.each([
    ['unexpected status 404 Not Found: gone', 'model_not_found', true],
    ['unexpected status 401 Unauthorized', 'auth_expired', true],
    ['model: gone-9 was not found', 'model_not_found', true],
    ['The model `gone-9` does not exist or you do not have access to it.', 'model_not_found', true],
    [DETAIL, 'model_not_found', true],
    [BODY, 'unknown', true],
    ['Quota exceeded. Check your plan', 'quota_exhausted', true],
    ['stream disconnected before completion', 'overloaded', false],
    ['It rained', 'unknown', false],
    ['{"error":{"message":7}}', 'unknown', false],
    ['{not json', 'unknown', false],
  ] as const)('%s is %s; nothing was used: %s', (message, code, refused) => {
    const error = parseFailure(message);
    expect(error.code).toBe(code);
    expect(isRefused(message, error)).toBe(refused);
  });

  test('is read in the provider’s sentence, not in the body around it', () => {
    expect(parseFailure(BODY).message).toMatch(/\(The engine says: Too long\.\)$/);
    expect(parseFailure(DETAIL).message).not.toContain('{');
  });
});
