import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configText } from '../../../runner/guard/config-text.ts';
import { gitEnvironment, git, gitOrNull, runGit, splitZero } from '../../../runner/guard/git.ts';
import { aDirectory, aRepository, gitIn, write } from './repositories.ts';

describe('gitEnvironment', () => {
  test('drops every GIT_ variable of the person, and keeps what finds programs', () => {
    const env = gitEnvironment({
      PATH: '/bin',
      GIT_DIR: '/x',
      GIT_CONFIG_PARAMETERS: "'a.b=c'",
      SSH_ASKPASS: 'ask',
      GIT_TRACE: '1',
    });
    expect(env).toMatchObject({
      PATH: '/bin',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
    });
    for (const name of ['GIT_DIR', 'GIT_CONFIG_PARAMETERS', 'SSH_ASKPASS', 'GIT_TRACE'])
      expect(env).not.toHaveProperty(name);
  });

  test('lets no caller’s setting weaken ours, because git takes the last', async () => {
    const weak = {
      directory: aRepository(),
      config: [
        ['core.fsmonitor', 'true'],
        ['core.hooksPath', '/evil'],
      ] as const,
    };
    expect(await git(['config', 'core.fsmonitor'], weak)).toBe('false');
    expect(await git(['config', 'core.hooksPath'], weak)).toBe('/dev/null');
  });

  test('lets no transport through but local files', async () => {
    const source = aRepository();
    const fetched = await runGit(['fetch', 'ext::sh -c "echo"'], {
      directory: source,
      config: [['protocol.ext.allow', 'always']],
    });
    expect(fetched.exitCode).not.toBe(0);
    expect(fetched.stderr).toContain("transport 'ext' not allowed");
  });
});

describe('running git', () => {
  test('returns what it printed, and null or an error when it fails', async () => {
    const options = { directory: aRepository() };
    expect(await git(['symbolic-ref', 'HEAD'], options)).toBe('refs/heads/main');
    expect(await gitOrNull(['rev-parse', '--verify', '--quiet', 'nowhere'], options)).toBeNull();
    await expect(git(['cat-file', '-t', 'nowhere'], options)).rejects.toMatchObject({
      code: 'workspace_refused',
      message: expect.stringContaining('git cat-file'),
    });
  });

  test('says that a directory is not there rather than that git is missing', async () => {
    const missing = join(aDirectory(), 'nowhere');
    await expect(git(['status'], { directory: missing })).rejects.toMatchObject({
      message: expect.stringContaining(missing),
    });
  });

  test('ends git when its time is over', async () => {
    const directory = aRepository();
    // Nobody ever writes into this pipe, so git waits for it without end.
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: directory });
    const slow = runGit(['hash-object', 'pipe'], { directory, timeoutMs: 200 });
    await expect(slow).rejects.toMatchObject({ message: expect.stringContaining('time limit') });
  });

  test('splits names that hold line breaks', () => {
    expect(splitZero('a\nb\0c\0')).toEqual(['a\nb', 'c']);
    expect(splitZero('')).toEqual([]);
  });
});

describe('configText', () => {
  test('is read back by git as it was meant', () => {
    const directory = aDirectory();
    const values = [
      'plain',
      'with "quotes" and \\',
      ' leading; # comment ',
      'two\nlines\tand tab',
      '',
    ];
    write(
      directory,
      'config',
      configText([
        {
          name: 'remote',
          subsection: 'a "b" \\c',
          values: values.map((value) => ['url', value] as const),
        },
      ]),
    );
    const read = execFileSync(
      'git',
      ['config', '--file', 'config', '-z', '--get-all', 'remote.a "b" \\c.url'],
      { cwd: directory, encoding: 'utf8' },
    );
    expect(read.split('\0').slice(0, -1)).toEqual(values);
    expect(gitIn(directory, 'config', '--file', 'config', '--list')).toContain('plain');
  });
});
