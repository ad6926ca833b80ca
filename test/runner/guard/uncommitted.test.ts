import {
  chmodSync,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aRepository, commit, gitIn, ownCheckout, write } from './repositories.ts';

const wanting = { spec: { fromUncommitted: true } };

function withChanges(): string {
  const source = aRepository();
  commit(source, 'gone.txt', 'x');
  commit(source, '.gitignore', 'ignored\n');
  write(source, 'readme.md', 'changed, not staged\n');
  write(source, 'staged.txt', 'staged\n');
  gitIn(source, 'add', 'staged.txt');
  write(source, 'staged.txt', 'staged, then changed\n');
  write(source, 'new\nname.txt', 'untracked\n');
  write(source, 'ignored', 'ignored\n');
  write(source, 'run.sh', '#!/bin/sh\n');
  chmodSync(join(source, 'run.sh'), 0o755);
  symlinkSync('readme.md', join(source, 'link'));
  rmSync(join(source, 'gone.txt'));
  return source;
}

describe('starting from uncommitted changes', () => {
  test('has the files as they are in the person’s directory, ignored ones aside', async () => {
    const checkout = await ownCheckout(withChanges(), wanting);
    const text = (path: string): string => readFileSync(join(checkout.top, path), 'utf8');
    expect(text('readme.md')).toBe('changed, not staged\n');
    expect(text('staged.txt')).toBe('staged, then changed\n');
    expect(text('new\nname.txt')).toBe('untracked\n');
    expect(statSync(join(checkout.top, 'run.sh')).mode & 0o100).toBe(0o100);
    expect(readlinkSync(join(checkout.top, 'link'))).toBe('readme.md');
    expect(existsSync(join(checkout.top, 'gone.txt'))).toBe(false);
    expect(existsSync(join(checkout.top, 'ignored'))).toBe(false);
    expect(checkout.fromUncommitted).toBe(true);
  });

  test('leaves them uncommitted there too, on the person’s own commit', async () => {
    const source = withChanges();
    const checkout = await ownCheckout(source, wanting);
    expect(gitIn(checkout.top, 'rev-parse', 'HEAD')).toBe(gitIn(source, 'rev-parse', 'HEAD'));
    expect(
      gitIn(checkout.top, 'status', '--porcelain', '-z').split('\0').filter(Boolean).toSorted(),
    ).toEqual(
      [
        ' D gone.txt',
        ' M readme.md',
        '?? link',
        '?? new\nname.txt',
        '?? run.sh',
        '?? staged.txt',
      ].toSorted(),
    );
  });

  test('touches neither index nor files nor stash of the person', async () => {
    const source = withChanges();
    const before = [
      readFileSync(join(source, '.git', 'index')),
      gitIn(source, 'status', '--porcelain', '-z'),
      gitIn(source, 'stash', 'list'),
    ];
    const index = readFileSync(join(source, '.git', 'index'));
    await ownCheckout(source, wanting);
    expect(readFileSync(join(source, '.git', 'index'))).toEqual(index);
    expect([
      before[0],
      gitIn(source, 'status', '--porcelain', '-z'),
      gitIn(source, 'stash', 'list'),
    ]).toEqual(before);
    expect(gitIn(source, 'for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/stash')).toBe(
      'refs/heads/main',
    );
  });

  test('is not told as such when there is nothing uncommitted', async () => {
    const checkout = await ownCheckout(aRepository(), wanting);
    expect(checkout.fromUncommitted).toBe(false);
    expect(checkout.keptCommit).toBe(checkout.baseCommit);
  });

  test('stores what the person’s filters store', async () => {
    const source = aRepository();
    commit(source, '.gitattributes', '*.up filter=up\n');
    gitIn(source, 'config', 'filter.up.clean', 'tr a-z A-Z');
    write(source, 'a.up', 'quiet\n');
    const checkout = await ownCheckout(source, wanting);
    expect(readFileSync(join(checkout.top, 'a.up'), 'utf8')).toBe('QUIET\n');
  });

  test('is refused from another base, and in the middle of a merge', async () => {
    const source = aRepository();
    gitIn(source, 'checkout', '--quiet', '-b', 'side');
    commit(source, 'readme.md', 'side\n');
    gitIn(source, 'checkout', '--quiet', 'main');
    const other = ownCheckout(source, { spec: { fromUncommitted: true, baseRef: 'side' } });
    await expect(other).rejects.toMatchObject({
      message: expect.stringContaining('belong to what is checked out'),
    });
    commit(source, 'readme.md', 'main\n');
    expect(() => gitIn(source, 'merge', 'side')).toThrow('merge side');
    await expect(ownCheckout(source, wanting)).rejects.toMatchObject({
      message: expect.stringContaining('a merge'),
    });
  });

  test('works from a subdirectory with everything of the repository', async () => {
    const source = withChanges();
    write(source, 'sub/inner.txt', 'inner');
    const checkout = await ownCheckout(join(source, 'sub'), wanting);
    expect(readFileSync(join(checkout.directory, 'inner.txt'), 'utf8')).toBe('inner');
    expect(readFileSync(join(checkout.top, 'readme.md'), 'utf8')).toBe('changed, not staged\n');
  });
});
