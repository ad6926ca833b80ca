import { describe, expect, test } from 'vitest';
import { REFUSALS, refusalReason, type RefusalReason } from '../../../protocol/version.ts';
import { failedResult, refusedResult } from '../../../runner/link/commands.ts';
import { sentenceOfRefusal } from '../../../runner/link/refusals.ts';
import { ERRORS, PilothouseError } from '../../../protocol/errors.ts';

const reasons = refusalReason.options;

describe('a refused runner', () => {
  test.each(reasons)('(%s) is told what it means and what to do, in sentences', (reason) => {
    expect(sentenceOfRefusal(reason)).toMatch(/^[A-Z][^]*\. [A-Z][^]*\.$/);
  });

  test('is told something else for each reason', () => {
    expect(new Set(reasons.map(sentenceOfRefusal)).size).toBe(reasons.length);
  });

  test.each(reasons.filter((reason: RefusalReason) => REFUSALS[reason].reconnect))(
    '(%s) that connects again by itself is told so',
    (reason) => {
      expect(sentenceOfRefusal(reason)).toContain('connects again by itself');
    },
  );
});

describe('a refused command', () => {
  test('has its code, and the sentence of the table', () => {
    expect(refusedResult('stale_epoch')).toEqual({
      ok: false,
      code: 'stale_epoch',
      message: ERRORS.stale_epoch.sentence,
    });
  });

  test('has its detail after the sentence', () => {
    expect(refusedResult('directory_busy', '/r')).toMatchObject({
      message: `${ERRORS.directory_busy.sentence} (/r)`,
    });
  });

  test('for an error of ours keeps its code', () => {
    const error = new PilothouseError('base_not_found', { detail: 'dev' });
    expect(failedResult(error)).toEqual({
      ok: false,
      code: 'base_not_found',
      message: error.message,
    });
  });

  test.each([
    ['an error', new Error('disk full'), 'disk full'],
    ['anything else', 42, '42'],
  ])('for %s is internal, with what is known of it', (_what, error, words) => {
    expect(failedResult(error)).toMatchObject({
      ok: false,
      code: 'internal',
      message: expect.stringContaining(`(${words})`),
    });
  });
});
