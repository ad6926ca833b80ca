import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit, splitNul } from './git.ts';
import { matcherOf } from './globs.ts';

/** The files that are looked at, as paths from the absolute `root`, with `/`, sorted. */
export type SourceTree = { root: string; files: readonly string[]; has(path: string): boolean };

/** A tree of exactly these files. */
export function treeOf(root: string, files: readonly string[]): SourceTree {
  const sorted = [...new Set(files)].sort();
  const set = new Set(sorted);
  return { root, files: sorted, has: (path) => set.has(path) };
}

/** Symbolic links and submodules: they stand for what is elsewhere, and is looked at there. */
const NO_FILE = /^(120000|160000) /;

/**
 * Every file that git tracks or would track. What is deleted in the work tree is left out.
 * Throws `AdrFailure` when git cannot tell.
 */
export function readTree(root: string, exclude: readonly string[]): SourceTree {
  const excluded = matcherOf(exclude);
  const tracked = splitNul(runGit(root, ['ls-files', '-z', '--stage']))
    .filter((line) => !NO_FILE.test(line))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const untracked = splitNul(runGit(root, ['ls-files', '-z', '--others', '--exclude-standard']));
  const deleted = new Set(splitNul(runGit(root, ['ls-files', '-z', '--deleted'])));
  return treeOf(
    root,
    [...tracked, ...untracked].filter((path) => !deleted.has(path) && !excluded(path)),
  );
}

/** The text of a file of a tree. Throws what the file system says. */
export function readText(tree: SourceTree, path: string): string {
  return readFileSync(join(tree.root, path), 'utf8');
}
