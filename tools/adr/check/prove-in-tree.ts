import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readHead, runGit } from '../tree/git.ts';
import { type SourceTree, treeOf } from '../tree/tree.ts';

export type FixtureFiles = readonly { path: string; content: string | null }[];

/** The tree as it would be with a fixture's files in it; nothing is written. */
export function overlay(tree: SourceTree, files: FixtureFiles): SourceTree {
  const gone = new Set(files.filter(({ content }) => content === null).map(({ path }) => path));
  const added = files.filter(({ content }) => content !== null).map(({ path }) => path);
  const texts = new Map(files.map(({ path, content }) => [path, content ?? '']));
  const paths = [...tree.files.filter((path) => !gone.has(path)), ...added];
  return { ...treeOf(tree.root, paths), texts };
}

/** Directories beside a tree that git does not hold and commands need: what was installed. */
const INSTALLED = ['node_modules', '.venv', 'vendor'];

/**
 * A copy of a tree with its history, in which a command can be tried; removed with `using`. What
 * the command does to it is done to the copy, except in what is installed.
 */
export function copyTree(tree: SourceTree): { tree: SourceTree; [Symbol.dispose](): void } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'adr-prove-')));
  const remove = (): void => rmSync(top, { recursive: true, force: true });
  try {
    const prefix = runGit(tree.root, ['rev-parse', '--show-prefix']).trim();
    if (readHead(tree.root) === null) runGit(top, ['init', '-q']);
    else {
      const source = runGit(tree.root, ['rev-parse', '--show-toplevel']).trim();
      runGit(top, ['clone', '-q', '--shared', '--', source, '.']);
    }
    const root = join(top, prefix);
    for (const path of runGit(root, ['ls-files', '-z']).split('\0').filter(Boolean)) {
      if (!existsSync(join(tree.root, path))) rmSync(join(root, path), { force: true });
    }
    for (const path of tree.files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      copyEntry(join(tree.root, path), join(root, path));
    }
    for (const name of INSTALLED) {
      const wanted = existsSync(join(tree.root, name)) && !existsSync(join(root, name));
      if (wanted) symlinkSync(join(tree.root, name), join(root, name));
    }
    return { tree: treeOf(root, tree.files), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A link stays one: what it leads to may be a directory, or be outside. */
function copyEntry(from: string, to: string): void {
  if (!lstatSync(from).isSymbolicLink()) return copyFileSync(from, to);
  rmSync(to, { force: true });
  symlinkSync(readlinkSync(from), to);
}

/** Writes a fixture into a copy, and removes what it says is gone. */
export function writeFixture(root: string, files: FixtureFiles): void {
  for (const { path, content } of files) {
    if (content === null) rmSync(join(root, path), { force: true });
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  }
}
