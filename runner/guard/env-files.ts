import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '../failure.ts';

/** Files of variables that tools load by themselves; examples hold no real values. */
const ENV_FILE = /^\.env(\.(?!(example|sample|template|dist)$).+)?$/;
/** What is installed or recorded there is nobody's configuration. */
const PASSED_BY = new Set(['.git', 'node_modules']);
/** Gone meanwhile, no directory any more, or not for this user to read: it has nothing to tell. */
const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** How far below a directory is looked, in levels, directories and files found. */
export const ENV_FILE_BOUNDS = { levels: 8, directories: 2_000, files: 100 } as const;

/**
 * The files of variables in a directory and below it, level by level, so that what lies nearest the
 * top is found first where there is more than is looked at. No link to a directory is followed; one
 * that has such a name is among them, and whoever reads it decides how far it may lead.
 */
export async function listEnvFiles(top: string, bounds = ENV_FILE_BOUNDS): Promise<string[]> {
  const files: string[] = [];
  let left: number = bounds.directories;
  let level = [top];
  for (let depth = 0; depth <= bounds.levels && level.length > 0; depth++) {
    const below: string[] = [];
    for (const directory of level.slice(0, left)) {
      for (const entry of await entriesOf(directory)) {
        const isFile = entry.isFile() || entry.isSymbolicLink();
        if (isFile && ENV_FILE.test(entry.name)) files.push(join(directory, entry.name));
        if (files.length >= bounds.files) return files;
        if (entry.isDirectory() && !PASSED_BY.has(entry.name))
          below.push(join(directory, entry.name));
      }
    }
    left = Math.max(0, left - level.length);
    level = below;
  }
  return files;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (UNREADABLE.has(systemCodeOf(error) ?? '')) return [];
    throw error;
  }
}
