import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PROTECTED_PATHS } from '../../../protocol/policy-defaults.ts';
import { protectedPaths, readProtectedChanges } from '../../../runner/gate/protected-paths.ts';
import { aRepository, gitIn } from '../guard/repositories.ts';

describe('a path', () => {
  const isProtected = protectedPaths(DEFAULT_PROTECTED_PATHS);

  it.each([
    '.github/workflows/ci.yml',
    '.github/workflows/deep/er/ci.yml',
    '.GitHub/Workflows/CI.YML',
    '.github\\workflows\\ci.yml',
    '.git\u200bhub/workflows/ci.yml',
    '.github./workflows /ci.yml',
    '．github/workflows/ci.yml',
    '.github/workflows/\ufffd.yml',
    'CODEOWNERS',
    'docs/CODEOWNERS',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    // A link, a file or a submodule where the directory should be.
    '.github',
    '.github/workflows',
  ])('that acts on the forge is protected: %s', (path) => {
    expect(isProtected(path)).toBe(true);
  });

  it.each(['src/ci.yml', '.github/ISSUE_TEMPLATE/bug.md', 'x/.github/workflows/ci.yml', 'a', ''])(
    'that does not is free: %s',
    (path) => {
      expect(isProtected(path)).toBe(false);
    },
  );

  it('is protected by nothing where nothing is named', () => {
    expect(protectedPaths([])('.github/workflows/ci.yml')).toBe(false);
  });
});

describe('what a push would change', () => {
  const CI = '.github/workflows/ci.yml';
  let top: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  const commitAll = (message: string) => {
    gitIn(top, 'add', '--all');
    gitIn(top, 'commit', '--quiet', '--message', message);
    return gitIn(top, 'rev-parse', 'HEAD');
  };
  /** As if `HEAD` were detached work that no branch has: what would be new. */
  const changes = async (commit: string) => {
    const read = await readProtectedChanges(commit, DEFAULT_PROTECTED_PATHS, { directory: top });
    return read.known ? read.paths : null;
  };

  beforeEach(() => {
    top = aRepository();
    write(CI, 'on: push\n');
    write('a.txt', 'a\n');
    commitAll('first');
    gitIn(top, 'checkout', '--quiet', '--detach');
  });

  it('is nothing of what is there already', async () => {
    expect(await changes(gitIn(top, 'rev-parse', 'main'))).toEqual([]);
    write('b.txt', 'b');
    expect(await changes(commitAll('b'))).toEqual([]);
  });

  it.each([
    ['an edit', () => write(CI, 'on: pull_request_target\n')],
    ['a new file beside it', () => write('.github/workflows/new.yml', 'x')],
    ['its end', () => rmSync(join(top, CI))],
    ['its move to somewhere free', () => gitIn(top, 'mv', CI, 'ci.yml')],
    ['a move into it', () => gitIn(top, 'mv', 'a.txt', '.github/workflows/a.yml')],
    [
      'a link in its place',
      () => {
        rmSync(join(top, '.github'), { recursive: true });
        symlinkSync('elsewhere', join(top, '.github'));
      },
    ],
    [
      'a submodule in its place',
      () => {
        gitIn(top, 'rm', '-rq', '.github');
        const commit = gitIn(top, 'rev-parse', 'HEAD');
        gitIn(top, 'update-index', '--add', '--cacheinfo', `160000,${commit},.github/workflows`);
        gitIn(top, 'commit', '-qm', 'submodule');
        write('later.txt', 'later');
      },
    ],
    ['its name in other letters', () => write('.GITHUB/workflows/x.yml', 'x')],
  ])('is seen as %s', async (_name, change) => {
    change();
    expect(await changes(commitAll('change'))).not.toEqual([]);
  });

  it('is seen in a commit in the middle that a later one undoes', async () => {
    write(CI, 'on: schedule\n');
    commitAll('edit');
    write(CI, 'on: push\n');
    expect(await changes(commitAll('undo'))).toEqual([CI]);
  });

  describe('with a merge', () => {
    beforeEach(() => {
      write('work.txt', 'work');
      const work = commitAll('work');
      gitIn(top, 'checkout', '--quiet', 'main');
      write(CI, 'on: somebody else’s change\n');
      commitAll('theirs');
      gitIn(top, 'checkout', '--quiet', '--detach', work);
    });

    it('is nothing of what the merged branch changed by itself', async () => {
      gitIn(top, 'merge', '--quiet', '--no-edit', 'main');
      expect(await changes('HEAD')).toEqual([]);
    });

    it('is seen where the merge takes back what the other side changed', async () => {
      gitIn(top, 'merge', '--quiet', '--no-edit', '--strategy=ours', 'main');
      expect(await changes('HEAD')).toEqual([CI]);
    });

    it('is seen where the merge changes more than both sides did', async () => {
      gitIn(top, 'merge', '--quiet', '--no-commit', 'main');
      write(CI, 'on: evil\n');
      expect(await changes(commitAll('evil'))).toEqual([CI]);
    });

    it('is seen in a merge of many at once', async () => {
      const one = gitIn(top, 'rev-parse', 'HEAD');
      gitIn(top, 'checkout', '--quiet', '--detach', 'main~1');
      write('two.txt', 'two');
      const two = commitAll('two');
      const tree = gitIn(top, 'rev-parse', `${one}^{tree}`);
      const parents = ['-p', 'main', '-p', one, '-p', two];
      expect(await changes(gitIn(top, 'commit-tree', ...parents, '-m', 'o', tree))).toEqual([CI]);
    });
  });

  it('cannot be told of what is no commit', async () => {
    expect(await changes(gitIn(top, 'rev-parse', 'HEAD:a.txt'))).toBeNull();
    expect(await changes('f'.repeat(40))).toBeNull();
  });

  it('is seen through a tag', async () => {
    write(CI, 'on: tag\n');
    commitAll('for a tag');
    gitIn(top, 'tag', '--annotate', '-m', 'v1', 'v1');
    const tag = gitIn(top, 'rev-parse', 'v1');
    gitIn(top, 'tag', '--delete', 'v1');
    expect(await changes(tag)).toEqual([CI]);
  });
});
