import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { runGit, splitNul } from './git.ts';
import { matcherOf } from './globs.ts';
import { readUtf8 } from './read-utf8.ts';

/** The files that are looked at, as paths from the absolute `root`, with `/`, sorted. */
export type SourceTree = {
  root: string;
  files: readonly string[];
  has(path: string): boolean;
  /** The path of what a path leads to through links of the tree; the same without any. */
  real(path: string): string;
  /** How many files the configuration leaves out. */
  excluded?: number;
  /** Texts of files that stand in place of what is on the disk. */
  texts?: ReadonlyMap<string, string>;
};

/** A tree of exactly these files; `links` are paths beside them with what they lead to. */
export function treeOf(
  root: string,
  files: readonly string[],
  links: ReadonlyMap<string, string> = new Map(),
): SourceTree {
  const sorted = [...new Set(files)].sort();
  const set = new Set(sorted);
  const real = (path: string): string => {
    const link = [...links.keys()].find((one) => path === one || path.startsWith(`${one}/`));
    return link === undefined ? path : `${links.get(link)}${path.slice(link.length)}`;
  };
  return { root, files: sorted, has: (path) => set.has(path), real };
}

/** Modes of git's index: a submodule is a repository of its own, a link stands for what it leads to. */
const SUBMODULE = '160000';
const LINK = '120000';
/** Of `ls-files`: what is tracked, with its mode, what is not, and what is gone, each with a sign. */
const EVERYTHING = '-z -t --stage --cached --others --deleted --exclude-standard'.split(' ');
const OTHER = '? ';
const DELETED = 'R ';

/**
 * Every file that git tracks or would track. What is deleted in the work tree is left out.
 * Throws `AdrFailure` when git cannot tell.
 */
export function readTree(root: string, exclude: readonly string[]): SourceTree {
  const excluded = matcherOf(exclude);
  const files: string[] = [];
  const links: string[] = [];
  const deleted = new Set<string>();
  for (const line of splitNul(runGit(root, ['ls-files', ...EVERYTHING]))) {
    const rest = line.slice(2);
    // What is untracked has no mode: its path alone stands there.
    const path = line.startsWith(OTHER) ? rest : rest.slice(rest.indexOf('\t') + 1);
    if (line.startsWith(DELETED)) deleted.add(path);
    else if (line.startsWith(OTHER)) {
      const isLink = lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink();
      (isLink ? links : files).push(path);
    } else if (rest.startsWith(LINK)) links.push(path);
    else if (!rest.startsWith(SUBMODULE)) files.push(path);
  }
  const there = (path: string): boolean => !deleted.has(path) && !excluded(path);
  const held = treeOf(root, files.filter(there));
  const known = new Map<string, string>();
  const loose: string[] = [];
  for (const link of links.filter(there)) {
    const target = targetInside(held, link);
    if (target === null) loose.push(link);
    else known.set(link, target);
  }
  const tree = links.length === 0 ? held : treeOf(root, [...held.files, ...loose], known);
  return { ...tree, excluded: [...files, ...links].filter(excluded).length };
}

/**
 * What of the tree a link leads to, where it is looked at. Null for one that leads elsewhere: it
 * stays a file of the tree that cannot be read, because nobody knows what is behind it.
 */
function targetInside(tree: SourceTree, link: string): string | null {
  let target: string;
  try {
    target = relative(realpathSync(tree.root), realpathSync(join(tree.root, link)));
  } catch {
    return null;
  }
  const path = target.split(sep).join('/');
  const isHeld = tree.has(path) || tree.files.some((file) => file.startsWith(`${path}/`));
  return isHeld ? path : null;
}

/** The text of a file of a tree. Throws what the file system says, and when it is not UTF-8. */
export function readText(tree: SourceTree, path: string): string {
  return tree.texts?.get(path) ?? readUtf8(join(tree.root, path));
}
