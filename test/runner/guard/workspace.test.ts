import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspaceDescription } from '../../../protocol/command.ts';
import { decideProblems } from '../../../runner/guard/problems.ts';
import { readSource } from '../../../runner/guard/source.ts';
import { describeWorkspace } from '../../../runner/guard/workspace.ts';
import {
  aDirectory,
  aRepository,
  commit,
  emptyRepository,
  gitIn,
  limitsFor,
  write,
} from './repositories.ts';

const everywhere = limitsFor('/');
const codesOf = async (directory: string): Promise<string[]> =>
  (await describeWorkspace(directory, everywhere)).problems.map(({ code }) => code);

describe('describeWorkspace', () => {
  test('tells the repository, branch, commit, branches and uncommitted files', async () => {
    const source = aRepository();
    gitIn(source, 'branch', 'feature/x');
    write(source, 'odd\nname', '1');
    write(source, 'sub/two', '2');
    const described = await describeWorkspace(join(source, 'sub'), everywhere);
    expect(workspaceDescription.parse(described)).toEqual({
      path: join(source, 'sub'),
      repository: source,
      branch: 'main',
      commit: gitIn(source, 'rev-parse', 'HEAD'),
      uncommittedFiles: 2,
      branches: expect.arrayContaining(['main', 'feature/x']),
      problems: [],
    });
  });

  test('does not write to the person’s index', async () => {
    const source = aRepository();
    const index = readFileSync(join(source, '.git', 'index'));
    write(source, 'readme.md', 'hello\n');
    await describeWorkspace(source, everywhere);
    expect(readFileSync(join(source, '.git', 'index'))).toEqual(index);
  });

  test('tells a detached HEAD by having no branch', async () => {
    const source = aRepository();
    gitIn(source, 'checkout', '--quiet', '--detach');
    expect(await describeWorkspace(source, everywhere)).toMatchObject({
      branch: null,
      commit: gitIn(source, 'rev-parse', 'HEAD'),
    });
  });

  test('says that a directory outside git can be launched in place', async () => {
    expect(await describeWorkspace(aDirectory(), everywhere)).toMatchObject({
      repository: null,
      problems: [
        { code: 'not_a_repository', blocks: true, message: expect.stringContaining('in place') },
      ],
    });
  });

  test('does not look outside the allowed directories, through a link either', async () => {
    const allowed = aDirectory();
    symlinkSync(aRepository(), join(allowed, 'link'));
    for (const path of ['/', join(allowed, 'link'), join(allowed, '..')]) {
      await expect(describeWorkspace(path, limitsFor(allowed))).rejects.toMatchObject({
        code: 'directory_not_allowed',
      });
    }
    await expect(
      describeWorkspace(join(allowed, 'nowhere'), limitsFor(allowed)),
    ).rejects.toMatchObject({ code: 'directory_missing' });
  });

  test('names what would refuse a checkout', async () => {
    expect(await codesOf(emptyRepository())).toContain('empty_repository');
    const source = aRepository();
    gitIn(source, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(aDirectory(), 'partial');
    gitIn(source, 'clone', '--quiet', '--filter=blob:none', `file://${source}`, partial);
    expect(await codesOf(partial)).toContain('partial_clone');
    gitIn(source, 'bisect', 'start');
    expect(await codesOf(source)).toEqual(['in_progress']);
  });

  test('names what will be different in a checkout', async () => {
    const source = aRepository();
    const shallow = join(aDirectory(), 'shallow');
    commit(source, 'in/a', 'a');
    gitIn(source, 'clone', '--quiet', '--depth=1', `file://${source}`, shallow);
    expect(await codesOf(shallow)).toContain('shallow');
    gitIn(source, 'sparse-checkout', 'set', 'in');
    expect(await codesOf(source)).toEqual(['sparse']);
    const bare = join(aDirectory(), 'bare');
    gitIn(source, 'clone', '--quiet', '--bare', source, bare);
    expect(await codesOf(bare)).toContain('bare');
  });

  test('names filters, Git LFS and submodules', async () => {
    const source = aRepository();
    commit(source, '.gitattributes', '*.png filter=lfs diff=lfs\n');
    commit(source, '.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ../x\n');
    expect(await codesOf(source)).toContain('submodules');
    const looked = await readSource(source);
    const problems = (hasLfs: boolean) => looked && decideProblems({ ...looked, hasLfs });
    expect(problems(false)).toContainEqual({
      code: 'lfs',
      message: expect.stringContaining('this machine has no git-lfs. Install it'),
      blocks: false,
    });
    expect(problems(true)?.map(({ code }) => code)).toEqual(['submodules']);
    const locked = aRepository();
    commit(locked, '.gitattributes', '# filter=none\n*.key filter=git-crypt\n');
    expect((await describeWorkspace(locked, everywhere)).problems).toMatchObject([
      { code: 'filters', message: expect.stringContaining('git-crypt') },
    ]);
  });

  test('names a missing identity, since commits would fail', async () => {
    const source = aRepository();
    gitIn(source, 'config', '--unset', 'user.email');
    const home = process.env['HOME'];
    process.env['HOME'] = aDirectory();
    try {
      expect(await codesOf(source)).toEqual(['identity_missing']);
    } finally {
      process.env['HOME'] = home;
    }
  });

  test('tells why git will not open a repository', async () => {
    const source = aRepository();
    rmSync(join(source, '.git', 'HEAD'));
    await expect(describeWorkspace(source, everywhere)).rejects.toMatchObject({
      code: 'workspace_refused',
    });
    const inside = aRepository();
    mkdirSync(join(inside, '.git', 'info'), { recursive: true });
    await expect(describeWorkspace(join(inside, '.git', 'info'), everywhere)).rejects.toMatchObject(
      {
        message: expect.stringContaining('inside a git directory'),
      },
    );
  });

  // Only root can give a directory to somebody else.
  test.skipIf(process.getuid?.() !== 0)(
    'honours the directories that the person declared safe, and no others',
    async () => {
      const source = aRepository();
      chownSync(source, 1234, 1234);
      chownSync(join(source, '.git'), 1234, 1234);
      await expect(describeWorkspace(source, everywhere)).rejects.toMatchObject({
        message: expect.stringContaining('dubious ownership'),
      });
      const home = process.env['HOME'];
      process.env['HOME'] = aDirectory();
      writeFileSync(join(process.env['HOME'], '.gitconfig'), `[safe]\n\tdirectory = ${source}\n`);
      try {
        expect(await describeWorkspace(source, everywhere)).toMatchObject({ repository: source });
      } finally {
        process.env['HOME'] = home;
      }
    },
  );
});
