import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { systemCodeOf } from '../failure.ts';
import { isLfsHere } from '../lfs/filter.ts';
import type { Limits } from '../limits.ts';
import { isOwnPlace } from '../limits/own-places.ts';
import { gitOrNull, runGit, splitZero, type ConfigPair } from './git.ts';

/** What git says about a person's repository, before anything is done with it. */
export type Source = {
  /** Top of the working tree, or the git directory of a bare repository. */
  top: string;
  bare: boolean;
  /** From the top to the directory that was named; empty at the top. */
  subdirectory: string;
  gitDirectory: string;
  /** The git directory that linked worktrees share: objects and branches are here. */
  commonDirectory: string;
  head: string | null;
  branch: string | null;
  objectFormat: string;
  shallow: boolean;
  /** Everything that the person's git would read here; sections and names are in small letters. */
  config: ReadonlyMap<string, readonly string[]>;
  /** Names of filters that the attributes of HEAD ask for, such as `lfs`. */
  filters: readonly string[];
  /** Whether this machine can fill in and pass on files of Git LFS. */
  hasLfs: boolean;
  submodules: boolean;
  /** The operation that the person is in the middle of, in words. */
  inProgress: string | null;
};

const IN_PROGRESS = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisect'],
] as const;

/**
 * Looks at the repository that a directory is in; null when it is in none. Throws
 * `workspace_refused` when there is one that git will not open, with git's reason.
 */
export async function readSource(directory: string): Promise<Source | null> {
  const config = await readPersonalConfig(directory);
  const options = { directory, config: safeDirectories(config) };
  const ask = (...args: string[]) =>
    gitOrNull(['rev-parse', '--path-format=absolute', ...args], options);
  const gitDirectory = await ask('--git-dir');
  if (gitDirectory === null) {
    if (!hasRepositoryAbove(directory)) return null;
    const { stderr } = await runGit(['rev-parse', '--git-dir'], options);
    throw new PilothouseError('workspace_refused', {
      detail: stderr.trim().split('\n')[0] ?? 'git cannot open it',
    });
  }
  const facts = ['--is-bare-repository', '--is-shallow-repository', '--show-object-format'];
  const [common, worktree, said, head, branch, attributes, modules] = await Promise.all([
    ask('--git-common-dir'),
    ask('--show-toplevel'),
    ask(...facts),
    gitOrNull(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options),
    gitOrNull(['symbolic-ref', '--quiet', 'HEAD'], options),
    gitOrNull(['cat-file', 'blob', 'HEAD:.gitattributes'], options),
    gitOrNull(['cat-file', '-e', 'HEAD:.gitmodules'], options),
  ]);
  const [bare, shallow, format] = (said ?? '').split('\n');
  if (worktree === null && bare !== 'true') {
    throw new PilothouseError('workspace_refused', {
      detail: 'the directory is inside a git directory; name the working tree',
    });
  }
  const top = worktree ?? gitDirectory;
  const own = await readIfThere(join(common ?? gitDirectory, 'info', 'attributes'));
  return {
    top,
    bare: worktree === null,
    subdirectory: worktree === null ? '' : relative(top, directory),
    gitDirectory,
    commonDirectory: common ?? gitDirectory,
    head,
    branch: branch?.replace(/^refs\/heads\//, '') ?? null,
    objectFormat: format || 'sha1',
    shallow: shallow === 'true',
    config,
    filters: filtersOf(`${attributes ?? ''}\n${own}`),
    hasLfs: await isLfsHere(),
    submodules: modules !== null,
    inProgress: IN_PROGRESS.find(([file]) => existsSync(join(gitDirectory, file)))?.[1] ?? null,
  };
}

/**
 * Throws `directory_reserved` for a repository of which a part is among the runner's own files,
 * wherever the directory that was named lies: a `.git` file, a link and a setting lead anywhere,
 * and the configuration of a repository is run on our side.
 */
export function refuseReserved(limits: Pick<Limits, 'own'>, source: Source): void {
  const place = [source.top, source.gitDirectory, source.commonDirectory].find((each) =>
    isOwnPlace(limits.own, each),
  );
  if (place !== undefined)
    throw new PilothouseError('directory_reserved', { detail: `the repository is at ${place}` });
}

/** One value of the person's configuration: the last one, as git takes it. */
export function configOf(source: Pick<Source, 'config'>, key: string): string | null {
  return source.config.get(key)?.at(-1) ?? null;
}

/**
 * The directories that the person declared safe although they belong to somebody else: git
 * takes that word only from the person or from whoever starts it.
 */
export function safeDirectories(config: Source['config']): ConfigPair[] {
  return (config.get('safe.directory') ?? []).map((value) => ['safe.directory', value]);
}

/**
 * Everything that the person's git would read in a directory; sections and names are in small
 * letters. Listing the configuration runs nothing, whatever stands in it.
 */
export async function readPersonalConfig(directory: string): Promise<Map<string, string[]>> {
  const listed = await gitOrNull(['config', '--list', '--includes', '-z'], {
    directory,
    personal: true,
  });
  const config = new Map<string, string[]>();
  for (const entry of splitZero(listed ?? '')) {
    const end = entry.indexOf('\n');
    const key = end < 0 ? entry : entry.slice(0, end);
    config.set(key, [...(config.get(key) ?? []), end < 0 ? 'true' : entry.slice(end + 1)]);
  }
  return config;
}

/** Whether a directory, or one that it is in, holds what a repository begins with. */
export function hasRepositoryAbove(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}

function filtersOf(attributes: string): string[] {
  const lines = attributes.split('\n').filter((line) => !line.startsWith('#'));
  return [...new Set(lines.flatMap((line) => /\sfilter=(\S+)/.exec(line)?.[1] ?? []))];
}

/** A file's text, or nothing when there is no such file. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return '';
    throw error;
  }
}
