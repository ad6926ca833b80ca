import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Workspace = {
  root: string;
  home: string;
  repo: string;
  /** A bare repository that `repo` pushes to. */
  origin: string;
  remove(): void;
};

/** A home, a repository with one commit and its remote, all in a temporary folder of their own. */
export function createWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'claude-run-')));
  const [home, repo, origin] = [join(root, 'home'), join(root, 'repo'), join(root, 'origin.git')];
  for (const folder of [home, repo]) mkdirSync(folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repo, ...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'pipe',
    });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Dev');
  git('config', 'user.email', 'dev@example.com');
  git('remote', 'add', 'origin', origin);
  writeFileSync(join(repo, 'README.md'), '# A repository\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start');
  git('push', '--quiet', 'origin', 'main');
  return {
    root,
    home,
    repo,
    origin,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}
