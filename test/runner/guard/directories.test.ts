import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { directoryListing } from '../../../protocol/command.ts';
import { listDirectories } from '../../../runner/guard/directories.ts';
import { aDirectory, limitsFor } from './repositories.ts';

let home: string;
let code: string;

beforeEach(() => {
  home = aDirectory();
  code = join(home, 'code');
  for (const name of ['shop/.git', 'shed', 'blog', '.hidden', 'file-parent'])
    mkdirSync(join(code, name), { recursive: true });
  writeFileSync(join(code, 'shopping-list.txt'), '');
});

const namesOf = async (path: string, limit = 100): Promise<string[]> =>
  (await listDirectories(path, limit, limitsFor(code), home)).entries.map(({ name }) => name);

describe('listDirectories', () => {
  test('completes the beginning of a name, with directories only', async () => {
    const listing = await listDirectories(join(code, 'sh'), 100, limitsFor(code), home);
    expect(directoryListing.parse(listing)).toEqual({
      path: code,
      entries: [
        { name: 'shed', path: join(code, 'shed'), repository: false },
        { name: 'shop', path: join(code, 'shop'), repository: true },
      ],
      more: false,
    });
  });

  test('lists everything inside when the path ends with a slash', async () => {
    expect(await namesOf(`${code}/`)).toEqual(['blog', 'file-parent', 'shed', 'shop']);
  });

  test('shows hidden directories once a dot is typed', async () => {
    expect(await namesOf(`${code}/.`)).toEqual(['.hidden']);
  });

  test('understands ~', async () => {
    expect(await namesOf('~/code/b')).toEqual(['blog']);
  });

  test('begins with the allowed directories', async () => {
    expect(await listDirectories('', 100, limitsFor(code, join(home, 'gone')), home)).toEqual({
      path: '',
      entries: [{ name: 'code', path: code, repository: false }],
      more: false,
    });
  });

  test('says when there are more than asked for, and not when there are exactly as many', async () => {
    expect(await listDirectories(`${code}/`, 2, limitsFor(code), home)).toMatchObject({
      more: true,
      entries: [{}, {}],
    });
    expect(await listDirectories(`${code}/`, 4, limitsFor(code), home)).toMatchObject({
      more: false,
    });
  });

  test('shows above the allowed directories only the way down to them', async () => {
    mkdirSync(join(home, 'private'));
    expect(await namesOf(`${home}/`)).toEqual(['code']);
    expect(await namesOf('/')).toEqual([home.split('/')[1]]);
  });

  test('shows nothing beside the allowed directories', async () => {
    mkdirSync(join(home, 'private', 'diary'), { recursive: true });
    for (const path of [
      join(home, 'private/'),
      join(home, 'p'),
      '/etc/',
      join(code, '../private/'),
      'relative/',
    ]) {
      expect(await namesOf(path)).toEqual([]);
    }
  });

  test('does not offer a link that leads out, nor list through one', async () => {
    mkdirSync(join(home, 'private', 'diary'), { recursive: true });
    symlinkSync(join(home, 'private'), join(code, 'link'));
    symlinkSync(join(code, 'blog'), join(code, 'inner-link'));
    symlinkSync('/no/such/place', join(code, 'dangling'));
    expect(await namesOf(`${code}/`)).toEqual([
      'blog',
      'file-parent',
      'inner-link',
      'shed',
      'shop',
    ]);
    expect(await namesOf(`${code}/link/`)).toEqual([]);
  });

  test('takes a directory that does not exist, or is a file, for empty', async () => {
    expect(await namesOf(`${code}/nowhere/x`)).toEqual([]);
    expect(await namesOf(`${code}/shopping-list.txt/`)).toEqual([]);
  });

  // Root may read everything, so there is nothing to see as root.
  test.skipIf(process.getuid?.() === 0)(
    'takes a directory that it may not read for empty',
    async () => {
      chmodSync(join(code, 'blog'), 0o000);
      expect(await namesOf(`${code}/blog/`)).toEqual([]);
    },
  );
});
