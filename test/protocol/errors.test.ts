import { describe, expect, it } from 'vitest';
import { ERRORS, PilothouseError, parseErrorCode, sentenceOf } from '../../protocol/errors.ts';

describe('errors', () => {
  it.each(Object.entries(ERRORS))('%s says what to do, in sentences', (_code, facts) => {
    expect(facts.sentence).toMatch(/^[A-Z].*[.)]$/);
    expect(facts.sentence.split(' ').length).toBeGreaterThan(5);
  });
  it('carry their details after the sentence', () => {
    const error = new PilothouseError('directory_missing', { detail: '/nowhere' });
    expect(error.message).toBe(`${ERRORS.directory_missing.sentence} (/nowhere)`);
    expect(sentenceOf('not_found')).toBe(ERRORS.not_found.sentence);
  });
  it('from a newer peer are internal, not a crash', () => {
    expect(parseErrorCode('flux_capacitor')).toBe('internal');
    expect(parseErrorCode('stale_epoch')).toBe('stale_epoch');
  });
});
