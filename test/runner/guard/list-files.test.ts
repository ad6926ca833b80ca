import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  LISTED_MAX,
  listDirectoryFiles,
  listFiles,
  nearest,
  walkFiles,
} from '../../../runner/guard/list-files.ts';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  write,
} from './repositories.ts';

const pathsOf = async (listed: ReturnType<typeof listFiles>) => (await listed).paths.toSorted();

describe('the files of a checkout', () => {
  test('are those that git tracks and would track, as they lie there now', async () => {
    const source = aRepository();
    commit(source, '.gitignore', 'build/\n*.log\n');
    commit(source, 'gone.ts', 'x\n');
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'src/committed.ts', 'x\n');
    write(checkout.top, 'src/new file.ts', 'x\n');
    write(checkout.top, 'build/out.js', 'x\n');
    write(checkout.top, 'trace.log', 'x\n');
    rmSync(join(checkout.top, 'gone.ts'));
    expect(await pathsOf(listFiles(checkout))).toEqual([
      '.gitignore',
      'readme.md',
      'src/committed.ts',
      'src/new file.ts',
    ]);
  });

  test('begin at the directory in which the engine works', async () => {
    const source = aRepository();
    commit(source, 'packages/app/main.ts', 'x\n');
    const checkout = await ownCheckout(join(source, 'packages/app'));
    expect(await pathsOf(listFiles(checkout))).toEqual(['main.ts']);
  });

  test('lead nowhere: a link is a name, and what it points to is not listed', async () => {
    const outside = aDirectory();
    write(outside, 'secret.txt', 'x\n');
    const checkout = await ownCheckout(aRepository());
    symlinkSync(outside, join(checkout.top, 'way-out'));
    expect(await pathsOf(listFiles(checkout))).toEqual(['readme.md', 'way-out']);
  });

  test('start no program that the session configured', async () => {
    const checkout = await ownCheckout(aRepository());
    const trap = join(aDirectory(), 'sprung');
    gitIn(checkout.top, 'config', 'core.fsmonitor', `touch ${trap}; false`);
    expect(await pathsOf(listFiles(checkout))).toEqual(['readme.md']);
    expect(await pathsOf(listDirectoryFiles(checkout.top))).toEqual(['readme.md']);
    expect(existsSync(trap)).toBe(false);
    // What plain git does there, so that the trap is known to be one.
    gitIn(checkout.top, 'ls-files', '--others', '--modified');
    gitIn(checkout.top, 'status');
    expect(existsSync(trap)).toBe(true);
  });

  test('leave out names that are no words, and repositories inside', async () => {
    const source = aRepository();
    write(source, 'two\nlines.ts', 'x\n');
    const inner = join(source, 'inner');
    mkdirSync(inner);
    gitIn(inner, 'init', '--quiet');
    write(inner, 'a.ts', 'x\n');
    expect(await pathsOf(listDirectoryFiles(source))).toEqual(['readme.md']);
  });

  test('are walked in a directory of no repository, without what is never meant', async () => {
    const directory = aDirectory();
    for (const path of ['notes/a.md', 'b.md', 'node_modules/c/index.js', '.git/config'])
      write(directory, path, 'x\n');
    rmSync(join(directory, '.git'), { recursive: true });
    symlinkSync('/etc', join(directory, 'etc'));
    expect(await pathsOf(listDirectoryFiles(directory))).toEqual(['b.md', 'notes/a.md']);
  });

  test('are those that there was time for, and said not to be all', async () => {
    const directory = aDirectory();
    for (const path of ['a.md', 'b/c.md', 'd/e.md']) write(directory, path, 'x\n');
    let at = 0;
    const listed = await walkFiles(directory, () => (at += 4_000));
    expect(listed).toEqual({ paths: ['a.md', 'b/c.md'], more: true });
  });

  test('are no more than can be searched, those near the top first', () => {
    const paths = ['a/b/c/d.ts', 'a/b.ts', 'z.ts', 'b/c.ts'];
    expect(nearest(paths, 4)).toEqual({ paths, more: false });
    expect(nearest(paths, 3)).toEqual({ paths: ['z.ts', 'a/b.ts', 'b/c.ts'], more: true });
    const many = Array.from({ length: LISTED_MAX + 1 }, (_, index) => `${index}.ts`);
    expect(nearest(many)).toMatchObject({ paths: { length: LISTED_MAX }, more: true });
  });
});
