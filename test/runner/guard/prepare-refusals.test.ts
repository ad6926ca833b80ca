import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  aDirectory,
  aRepository,
  commit,
  emptyRepository,
  gitIn,
  limitsFor,
  ownCheckout,
} from './repositories.ts';

describe('refusals', () => {
  const refused = (detail: string) => ({
    code: 'workspace_refused',
    message: expect.stringContaining(detail),
  });

  test('a directory that is missing, or no directory', async () => {
    const source = aRepository();
    await expect(ownCheckout(join(source, 'nowhere'))).rejects.toMatchObject({
      code: 'directory_missing',
    });
    await expect(ownCheckout(join(source, 'readme.md'))).rejects.toMatchObject({
      code: 'directory_missing',
    });
  });

  test('a directory outside git', async () => {
    await expect(ownCheckout(aDirectory())).rejects.toMatchObject({ code: 'not_a_repository' });
  });

  test('a link that leads out of the allowed directories', async () => {
    const allowed = aDirectory();
    symlinkSync(aRepository(), join(allowed, 'link'));
    const launch = ownCheckout(join(allowed, 'link'), { limits: limitsFor(allowed) });
    await expect(launch).rejects.toMatchObject({ code: 'directory_not_allowed' });
  });

  test('a repository whose top lies above what is allowed', async () => {
    const source = aRepository();
    mkdirSync(join(source, 'inner'));
    const launch = ownCheckout(join(source, 'inner'), { limits: limitsFor(join(source, 'inner')) });
    await expect(launch).rejects.toMatchObject({ code: 'directory_not_allowed' });
  });

  test('a .git file that points at a repository elsewhere', async () => {
    const allowed = aDirectory();
    writeFileSync(join(allowed, '.git'), `gitdir: ${join(aRepository(), '.git')}\n`);
    await expect(ownCheckout(allowed, { limits: limitsFor(allowed) })).rejects.toMatchObject({
      code: 'directory_not_allowed',
    });
  });

  test('a repository without a commit', async () => {
    await expect(ownCheckout(emptyRepository())).rejects.toMatchObject(refused('no commit yet'));
  });

  test('a broken git directory, in git’s words', async () => {
    const source = aDirectory();
    writeFileSync(join(source, '.git'), 'gitdir: /no/such/place\n');
    await expect(ownCheckout(source)).rejects.toMatchObject(refused('/no/such/place'));
  });

  test('the middle of a rebase, unless a branch is named', async () => {
    const source = aRepository();
    gitIn(source, 'checkout', '--quiet', '-b', 'side');
    commit(source, 'readme.md', 'side\n');
    gitIn(source, 'checkout', '--quiet', 'main');
    commit(source, 'readme.md', 'main\n');
    expect(() => gitIn(source, 'rebase', 'side')).toThrow('could not apply');
    await expect(ownCheckout(source)).rejects.toMatchObject(refused('a rebase'));
    expect((await ownCheckout(source, { spec: { baseRef: 'side' } })).baseCommit).toBe(
      gitIn(source, 'rev-parse', 'side'),
    );
  });

  test('a partial clone, named branch or not', async () => {
    const source = aRepository();
    gitIn(source, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(aDirectory(), 'partial');
    gitIn(source, 'clone', '--quiet', '--filter=blob:none', `file://${source}`, partial);
    await expect(ownCheckout(partial)).rejects.toMatchObject(refused('partial clone'));
    await expect(ownCheckout(partial, { spec: { baseRef: 'main' } })).rejects.toMatchObject(
      refused('partial clone'),
    );
  });

  test('a branch that stands where the session’s would go', async () => {
    const source = aRepository();
    gitIn(source, 'branch', 'pilothouse');
    await expect(ownCheckout(source)).rejects.toMatchObject(refused('rename it'));
  });
});

// Root may write anywhere, so there is nothing to see as root.
