import { copyFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { isWithin } from '../limits/paths.ts';
import type { Base } from './base.ts';
import { git, gitOrNull, splitZero, type ConfigPair } from './git.ts';
import { safeDirectories, type Source } from './source.ts';

/** Who commits what is in no commit of the person's, for git's environment. */
export const US = {
  GIT_AUTHOR_NAME: 'Pilothouse',
  GIT_AUTHOR_EMAIL: 'pilothouse@localhost',
  GIT_COMMITTER_NAME: 'Pilothouse',
  GIT_COMMITTER_EMAIL: 'pilothouse@localhost',
} as const;

/**
 * Records the person's uncommitted changes as a commit on top of HEAD: tracked files as they are,
 * and untracked ones that git does not ignore. It is done in an index of our own, so that their
 * index, files and stash stay as they are; `git stash create` would leave out untracked files.
 *
 * Filters of the person run here, as in any `git add` of theirs: what they store is what the
 * session must see. `reserved` are the runner's directories, which hold its keys and are nobody's
 * changes, should the repository reach around them. Returns null when there is nothing uncommitted.
 */
export async function recordUncommitted(
  source: Source,
  base: Base,
  workDirectory: string,
  reserved: readonly string[] = [],
): Promise<string | null> {
  if (source.bare)
    throw new PilothouseError('workspace_refused', {
      detail: 'a bare repository has no uncommitted changes',
    });
  if (base.commit !== source.head) {
    const detail =
      'uncommitted changes belong to what is checked out; launch from that, or without them';
    throw new PilothouseError('workspace_refused', { detail });
  }
  const index = join(workDirectory, 'uncommitted.index');
  const options = {
    directory: source.top,
    config: safeDirectories(source.config),
    env: {
      GIT_INDEX_FILE: index,
      ...US,
    },
  };
  try {
    const own = join(source.gitDirectory, 'index');
    // Begun from theirs, git need not read again every file that has not changed.
    if (existsSync(own)) await copyFile(own, index);
    else await git(['read-tree', base.commit], options);
    await git(['add', '--all', '--', '.', ...excluding(source.top, reserved)], {
      ...options,
      env: { ...options.env, GIT_LITERAL_PATHSPECS: '0' },
      personal: true,
    });
    const tree = await git(['write-tree'], options);
    if (tree === (await git(['rev-parse', `${base.commit}^{tree}`], options))) return null;
    return await git(
      ['commit-tree', tree, '-p', base.commit, '-m', 'Uncommitted changes at launch'],
      options,
    );
  } finally {
    await rm(index, { force: true });
  }
}

/** Pathspecs that leave out what lies at these places (gitglossary(7), pathspec). */
function excluding(top: string, places: readonly string[]): string[] {
  return places
    .filter((place) => isWithin(top, place))
    .map((place) => `:(exclude,top,literal)${relative(top, place)}`);
}

/**
 * How many files differ from HEAD, untracked ones included. No filter of the repository runs, so
 * that looking at a directory never starts a program that the directory brought along.
 */
export async function countUncommitted(source: Source): Promise<number> {
  if (source.bare) return 0;
  const listed = await gitOrNull(STATUS, {
    directory: source.top,
    config: [...safeDirectories(source.config), ...withoutFilters(source)],
  });
  return splitZero(listed ?? '').length;
}

/** Lists changed files, each once, ended by zero bytes; repositories inside are not entered. */
export const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
  '--no-renames',
] as const;

function withoutFilters(source: Source): ConfigPair[] {
  return [...source.config.keys()].flatMap((key): ConfigPair[] => {
    if (!/^filter\..*\.(clean|smudge|process|required)$/.test(key)) return [];
    return [[key, key.endsWith('.required') ? 'false' : '']];
  });
}
