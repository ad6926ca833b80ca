import { spawnSync } from 'node:child_process';
import { AdrFailure } from '../failure.ts';

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
/** What a person's own configuration would add to git's output or change in it. */
const PLAIN = ['-c', 'core.quotePath=false', '-c', 'log.showSignature=false'];

/**
 * Runs git in a directory and returns what it prints. Throws `AdrFailure` with git's own words
 * when it cannot: the caller knows nothing then, and must not take that for "nothing found".
 */
export function runGit(root: string, args: readonly string[], input?: string): string {
  return runGitBytes(root, args, input).toString('utf8');
}

/** The same as bytes, for what need not be UTF-8 and is told with its size. */
export function runGitBytes(root: string, args: readonly string[], input?: string): Buffer {
  const result = spawnSync('git', [...PLAIN, ...args], {
    cwd: root,
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(input === undefined ? {} : { input }),
  });
  if (result.error) {
    throw new AdrFailure(
      'no_git',
      `git could not be started in ${root} (${result.error.message}), so neither files nor history can be looked at. Install git, then run the check again.`,
    );
  }
  if (result.status !== 0) {
    const words = result.stderr.toString('utf8').trim().split('\n')[0] ?? '';
    throw new AdrFailure(
      'git_failed',
      `git cannot look at ${root} (\`git ${args[0] ?? ''}\` says: ${words || `exit ${result.status}`}), so nothing could be checked. The check needs a git repository that can be read; \`git init\` begins one.`,
    );
  }
  return result.stdout;
}

/** What git prints with `-z`, in its parts. */
export const splitNul = (text: string): string[] => text.split('\0').filter(Boolean);

/** Where a directory stands in its repository: `prefix` is its path from git's top, ending in `/`. */
export type Position = { head: string | null; shallow: boolean; prefix: string };

/** Asks for all of it at once: starting git is most of what a small question costs. */
export function readPosition(root: string): Position {
  const asked = ['--is-shallow-repository', '--show-prefix', '--revs-only', 'HEAD'];
  const [shallow, prefix = '', head = ''] = runGit(root, ['rev-parse', ...asked]).split('\n');
  return { head: head.trim() || null, shallow: shallow === 'true', prefix };
}

/** The commit that HEAD is, or null before the first commit. */
export function readHead(root: string): string | null {
  try {
    return runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).trim();
  } catch (error) {
    if (error instanceof AdrFailure && error.code === 'git_failed') return null;
    throw error;
  }
}

/** The branch that is checked out, or null: HEAD is detached, or git cannot tell. */
export function readBranch(root: string): string | null {
  try {
    return runGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']).trim();
  } catch (error) {
    if (error instanceof AdrFailure) return null;
    throw error;
  }
}
