import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnCheckout } from '../guard/checkout.ts';
import { git, type GitOptions } from '../guard/git.ts';
import { parseRaw } from '../guard/parse-changes.ts';
import { readPersonalConfig, type Source } from '../guard/source.ts';
import {
  readNewPointers,
  readPointers,
  readTreePointers,
  type Pointer,
  type PointerAt,
} from './pointers.ts';
import { copyObject, hasObject, readContent, storeOf } from './store.ts';

/**
 * Copies what a commit's files of Git LFS stand for from the person's repository into a checkout
 * that is being made. They are copies, not links: a session writes in its checkout.
 */
export async function lendObjects(
  source: Pick<Source, 'commonDirectory' | 'config'>,
  commit: string,
  gitDirectory: string,
  options: GitOptions,
): Promise<void> {
  const from = storeOf(source.commonDirectory, source.config);
  if (!existsSync(from)) return;
  const to = storeOf(gitDirectory);
  for (const pointer of await readTreePointers(commit, options))
    await copyObject(from, to, pointer);
}

/** Gives the person's repository the contents that commits of the session name. */
export async function bringObjects(
  checkout: OwnCheckout,
  commits: readonly string[],
  options: GitOptions,
): Promise<void> {
  const { from, to } = await storesOf(checkout);
  if (!existsSync(from)) return;
  for (const pointer of await namedBy(checkout, commits, options))
    await copyObject(from, to, pointer);
}

/** The files that commits of the session name and only the checkout has the contents of. */
export async function listUnbrought(
  checkout: OwnCheckout,
  commits: readonly string[],
  options: GitOptions,
): Promise<PointerAt[]> {
  const { from, to } = await storesOf(checkout);
  if (!existsSync(from)) return [];
  const named = await namedBy(checkout, commits, options);
  const there = await Promise.all(
    named.map(async (each) => (await hasObject(from, each)) && !(await hasObject(to, each))),
  );
  return named.filter((_, index) => there[index]);
}

async function storesOf({ top, source }: OwnCheckout): Promise<{ from: string; to: string }> {
  const { commonDirectory } = source;
  return {
    from: storeOf(join(top, '.git')),
    to: storeOf(commonDirectory, await readPersonalConfig(commonDirectory)),
  };
}

function namedBy(
  { baseCommit }: OwnCheckout,
  commits: readonly string[],
  options: GitOptions,
): Promise<PointerAt[]> {
  return readNewPointers(commits, options, ['--not', baseCommit]);
}

/**
 * Which changed files are changed in nothing but that the content stands where git has a pointer:
 * git on our side runs no filter. `options`: of a view whose index is at HEAD.
 */
export async function listFilledIn(directory: string, options: GitOptions): Promise<string[]> {
  return onlyFilledIn(directory, await git(['diff-files', '--no-renames', '-z'], options), options);
}

/** The same of the files that differ by what git wrote about them with `--raw -z`. */
export async function onlyFilledIn(
  directory: string,
  raw: string,
  options: GitOptions,
): Promise<string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, edited } of parseRaw(raw))
    if (edited !== null) paths.set(edited, [...(paths.get(edited) ?? []), path]);
  const pointers = await readPointers(new Map([...paths.keys()].map((id) => [id, id])), options);
  const filled: string[] = [];
  for (const { path: id, ...pointer } of pointers)
    for (const path of paths.get(id) ?? [])
      if (await isFilledIn(join(directory, path), pointer)) filled.push(path);
  return filled;
}

async function isFilledIn(path: string, pointer: Pointer): Promise<boolean> {
  try {
    return await readContent(path, pointer);
  } catch {
    // Gone, or no file any more: changed, then.
    return false;
  }
}
