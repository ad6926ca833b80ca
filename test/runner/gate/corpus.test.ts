import { describe, expect, it } from 'vitest';
import { sealProblem } from '../../support/sealed.ts';
import { describeFate, tryGated } from '../witness/gated-corpus.ts';

/** Few of the known ways, for the whole of them is a run of its own: `npm run test:merge-corpus`. */
const SLICE = new Set([
  'push --mirror',
  'base64',
  'git hook',
  'second clone',
  'tag moved',
  'delete',
  'push of a feature',
  'script of the same turn',
  'python',
  'gh pr merge, pointed to a login',
  'python to a forge',
]);

describe.skipIf(sealProblem !== null)('ways to merge, push and delete, in a seal', () => {
  it('reach no protected branch, tag, branch of others or forge, and a feature passes (S1)', async () => {
    const fates = await tryGated('sealed', ({ name }) => SLICE.has(name));
    expect(fates).toHaveLength(SLICE.size);
    expect(
      fates.flatMap(({ way, reached }) => reached.map((ref) => `${way.name}: ${ref}`)),
    ).toEqual([]);
    const feature = fates.find(({ way }) => way.name === 'push of a feature');
    expect(feature && describeFate(feature)).toBe('passed on, as is allowed');
    expect(fates.filter(({ refused }) => refused).length).toBeGreaterThan(3);
  }, 90_000);
});
