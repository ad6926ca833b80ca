// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { tellError } from '../../../console/errors.ts';
import { isStaleBuild, watchStaleBuild } from '../../../console/lib/stale-build.ts';

const tell = (payload: unknown): void => {
  const target = new EventTarget();
  watchStaleBuild(target);
  target.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
};

describe('a part of the page that a newer build has replaced', () => {
  it('asks for a reload and says that nothing typed is lost', () => {
    const error = new TypeError('Failed to fetch dynamically imported module');
    expect(tellError(error).sentence).not.toContain('Reload the page');
    tell(error);
    expect(isStaleBuild(error)).toBe(true);
    expect(tellError(error)).toMatchObject({
      sentence: expect.stringContaining('Reload the page; what you typed is kept.'),
      retryable: true,
    });
  });

  it('is no other error, and nothing that is no error', () => {
    tell('text');
    expect(isStaleBuild('text')).toBe(false);
    expect(isStaleBuild(new Error('another'))).toBe(false);
  });
});
