import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSources } from '../../../runner/host/source-hash.ts';
import { temporaryDirectory } from './temporary.ts';

function aTree(files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
const FILES = { 'src/a.ts': 'one', 'src/deep/b.ts': 'two', lock: 'three' };
const PATHS = ['src', 'lock'];
const hashOf = (root: string) => hashSources(root, PATHS);

describe('the hash of sources', () => {
  it('is the same for the same contents, wherever they lie', () => {
    expect(hashOf(aTree(FILES))).toBe(hashOf(aTree(FILES)));
    expect(hashOf(aTree(FILES))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not look at times or modes, which a copy changes', () => {
    const root = aTree(FILES);
    const before = hashOf(root);
    utimesSync(join(root, 'src/a.ts'), new Date(0), new Date(0));
    chmodSync(join(root, 'src/a.ts'), 0o600);
    expect(hashOf(root)).toBe(before);
  });

  it.each([
    ['an edit', (root: string) => writeFileSync(join(root, 'src/deep/b.ts'), 'Two')],
    ['a new file', (root: string) => writeFileSync(join(root, 'src/c.ts'), '')],
    ['a file that is gone', (root: string) => rmSync(join(root, 'src/a.ts'))],
    ['another name', (root: string) => renameSync(join(root, 'src/a.ts'), join(root, 'src/z.ts'))],
    [
      'a file that moved',
      (root: string) => renameSync(join(root, 'src/a.ts'), join(root, 'src/deep/a.ts')),
    ],
    ['a path that is one file', (root: string) => writeFileSync(join(root, 'lock'), 'Three')],
  ])('changes with %s', (_name, change) => {
    const root = aTree(FILES);
    const before = hashOf(root);
    change(root);
    expect(hashOf(root)).not.toBe(before);
  });

  it('does not change with what is outside', () => {
    const root = aTree(FILES);
    const before = hashOf(root);
    writeFileSync(join(root, 'README.md'), 'x');
    expect(hashOf(root)).toBe(before);
  });

  it('of a path that is not there is that of nothing', () => {
    expect(hashSources(aTree({}), ['missing'])).toBe(hashSources(aTree({}), []));
  });

  it('tells apart how the same characters are spread over names and contents', () => {
    const name = fc.stringMatching(/^[a-c]{1,3}$/);
    const files = fc.dictionary(name, fc.stringMatching(/^[a-c]{0,3}$/), { maxKeys: 3 });
    const hashes = new Map<string, string>();
    fc.assert(
      fc.property(files, (tree) => {
        const key = JSON.stringify(
          Object.keys(tree)
            .toSorted((left, right) => (left < right ? -1 : 1))
            .map((file) => [file, tree[file]]),
        );
        const hash = hashSources(aTree(tree), ['.']);
        expect(hashes.get(hash) ?? key).toBe(key);
        hashes.set(hash, key);
      }),
      { numRuns: 40 },
    );
  });
});
