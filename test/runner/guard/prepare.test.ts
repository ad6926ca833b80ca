import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { preparedEvent } from '../../../runner/guard/checkout.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import {
  OTHER_SESSION,
  SESSION,
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  emptyRepository,
  gitIn,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

describe('a checkout of the session’s own', () => {
  test('has the base’s files on a branch named after the title, and borrows the objects', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    expect(readFileSync(join(checkout.top, 'readme.md'), 'utf8')).toBe('hello\n');
    expect(gitIn(checkout.top, 'branch', '--show-current')).toBe('pilothouse/fix-the-test');
    expect(gitIn(checkout.top, 'status', '--porcelain')).toBe('');
    expect(gitIn(checkout.top, 'count-objects', '-v')).toContain('count: 0');
    expect(gitIn(checkout.top, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
    expect(preparedEvent(checkout)).toEqual({
      type: 'checkout/prepared',
      mode: 'own',
      directory: checkout.top,
      branch: 'pilothouse/fix-the-test',
      baseCommit: gitIn(source, 'rev-parse', 'HEAD'),
      included: [],
      fromUncommitted: false,
      grade: { grade: 'open', guard: true, reason: expect.stringContaining('before') },
    });
  });

  test('is for nobody else to read', async () => {
    const checkout = await ownCheckout(aRepository());
    expect(statSync(checkout.top).mode & 0o077).toBe(0);
    expect(statSync(checkout.view).mode & 0o077).toBe(0);
  });

  test('leaves the person’s branch, files and index as they are', async () => {
    const source = aRepository();
    const index = readFileSync(join(source, '.git', 'index'));
    const checkout = await ownCheckout(source);
    commitInCheckout(checkout, 'readme.md', 'changed\n');
    expect(readFileSync(join(source, 'readme.md'), 'utf8')).toBe('hello\n');
    expect(readFileSync(join(source, '.git', 'index'))).toEqual(index);
    expect(gitIn(source, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
      'refs/heads/main',
    );
  });

  test('commits under the person’s own name', async () => {
    const checkout = await ownCheckout(aRepository());
    commitInCheckout(checkout, 'a', 'a');
    expect(gitIn(checkout.top, 'log', '-1', '--format=%an <%ae>')).toBe('Ada <ada@example.com>');
  });

  test('works in the subdirectory that the launch named', async () => {
    const source = aRepository();
    commit(source, 'packages/web/index.ts', '1');
    const checkout = await ownCheckout(join(source, 'packages', 'web'));
    expect(checkout.directory).toBe(join(checkout.top, 'packages', 'web'));
    expect(existsSync(join(checkout.directory, 'index.ts'))).toBe(true);
  });

  test('is the same when it is asked for again, with what the session did in it', async () => {
    const request = requestFor(aRepository());
    const first = await prepareCheckout(request);
    write(first.directory, 'work', 'in progress');
    expect(await prepareCheckout(request)).toEqual(first);
    expect(existsSync(join(first.directory, 'work'))).toBe(true);
  });

  test('clears away what an interrupted attempt left', async () => {
    const request = requestFor(aRepository());
    mkdirSync(join(request.root, SESSION, '.git'), { recursive: true });
    writeFileSync(join(request.root, SESSION, 'half'), '');
    const checkout = await prepareCheckout(request);
    expect(existsSync(join(checkout.directory, 'half'))).toBe(false);
  });

  test('gives two sessions of one title two branches, at the same time too', async () => {
    const source = aRepository();
    const both = await Promise.all([
      ownCheckout(source),
      ownCheckout(source, { sessionId: OTHER_SESSION }),
    ]);
    expect(both.map(({ branch }) => branch).toSorted()).toEqual([
      'pilothouse/fix-the-test',
      'pilothouse/fix-the-test-2',
    ]);
  });

  test('takes another name when the person has a branch of that one', async () => {
    const source = aRepository();
    gitIn(source, 'branch', 'pilothouse/fix-the-test');
    expect((await ownCheckout(source)).branch).toBe('pilothouse/fix-the-test-2');
  });

  test('works with SHA-256 repositories', async () => {
    const source = emptyRepository('--object-format=sha256');
    commit(source, 'a', 'a');
    const checkout = await ownCheckout(source);
    expect(commitInCheckout(checkout, 'b', 'b')).toHaveLength(64);
  });

  test('works from a linked worktree', async () => {
    const source = aRepository();
    const linked = join(aDirectory(), 'linked');
    gitIn(source, 'worktree', 'add', '--quiet', '-b', 'side', linked);
    const head = commit(linked, 'side.txt', 'side');
    const checkout = await ownCheckout(linked);
    expect(checkout.baseCommit).toBe(head);
    expect(existsSync(join(checkout.top, 'side.txt'))).toBe(true);
  });

  test('works from a path with spaces, quotes and a line break', async () => {
    const source = join(aDirectory(), 'a "b"\n c');
    mkdirSync(source);
    gitIn(source, 'init', '--quiet', '--initial-branch=main');
    gitIn(
      source,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    );
    const checkout = await ownCheckout(source);
    expect(gitIn(checkout.top, 'log', '--format=%s')).toBe('x');
  });

  test('has files whose names hold line breaks', async () => {
    const source = aRepository();
    commit(source, 'odd\nname', 'odd');
    const checkout = await ownCheckout(source);
    expect(readFileSync(join(checkout.top, 'odd\nname'), 'utf8')).toBe('odd');
  });

  test('has the tags that lead to the base, annotated ones included, even when the source drops them', async () => {
    const source = aRepository();
    gitIn(source, 'tag', '-a', 'v1', '-m', 'first');
    gitIn(source, 'tag', 'light');
    const checkout = await ownCheckout(source);
    gitIn(source, 'tag', '-d', 'v1');
    gitIn(source, 'gc', '--quiet', '--prune=now');
    expect(gitIn(checkout.top, 'describe')).toBe('v1');
    expect(gitIn(checkout.top, 'tag')).toBe('light\nv1');
  });
});

describe('a shallow or sparse repository', () => {
  test('gives a checkout with the same cut history', async () => {
    const source = aRepository();
    commit(source, 'two', 'two');
    const shallow = join(aDirectory(), 'shallow');
    gitIn(source, 'clone', '--quiet', '--depth=1', `file://${source}`, shallow);
    const checkout = await ownCheckout(shallow);
    expect(gitIn(checkout.top, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(gitIn(checkout.top, 'status', '--porcelain')).toBe('');
  });

  test('gives a checkout with the same selection of files', async () => {
    const source = aRepository();
    commit(source, 'in/a', 'a');
    commit(source, 'out/b', 'b');
    gitIn(source, 'sparse-checkout', 'set', '--cone', 'in');
    const checkout = await ownCheckout(source);
    expect(existsSync(join(checkout.top, 'in', 'a'))).toBe(true);
    expect(existsSync(join(checkout.top, 'out', 'b'))).toBe(false);
    expect(gitIn(checkout.top, 'status', '--porcelain')).toBe('');
  });
});

describe('in place', () => {
  test('is the directory itself, in git and outside of it', async () => {
    const source = aRepository();
    expect(await prepareCheckout(requestFor(source, { spec: { checkout: 'inPlace' } }))).toEqual({
      mode: 'inPlace',
      sessionId: SESSION,
      directory: source,
      branch: 'main',
      baseCommit: gitIn(source, 'rev-parse', 'HEAD'),
    });
    const plain = aDirectory();
    expect(
      await prepareCheckout(requestFor(plain, { spec: { checkout: 'inPlace' } })),
    ).toMatchObject({ directory: plain, branch: null });
  });
});
