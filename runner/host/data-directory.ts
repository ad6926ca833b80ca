import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, Failure, systemCodeOf } from '../failure.ts';
import type { DataLayout } from './layout.ts';

const OWNER_ONLY = 0o700;

/**
 * Makes the data directory and proves that it can be written. What holds transcripts and tokens
 * is for its owner alone; a directory that was there before keeps its own mode, because a person
 * may have pointed at one that has other uses.
 */
export function prepareDataDirectory(layout: DataLayout): void {
  try {
    makeDirectory(layout.root);
    for (const directory of [layout.worker, layout.runner]) {
      makeDirectory(directory);
      chmodSync(directory, OWNER_ONLY);
    }
    const probe = join(layout.root, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new Failure(EXIT.failed, 'data_unwritable', unwritableSentence(layout.root, error), {
      cause: error,
    });
  }
}

/**
 * Makes a directory and those above it, one by one: Node's own `recursive` never returns where
 * the system says that a directory is missing although the one above it is there, as in /proc.
 */
function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Another start made it at this moment; whose it is, the lock decides.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function unwritableSentence(root: string, error: unknown): string {
  return (
    `The data directory ${root} cannot be written (${reasonOf(error)}), so nothing could be kept. ` +
    'Correct its permissions, or choose another one: npm start -- --data DIRECTORY'
  );
}

function reasonOf(error: unknown): string {
  const code = systemCodeOf(error);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOENT':
      return 'no directory can be made there';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of the path is a file';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOSPC':
      return 'no space left on the disk';
    default:
      return code ?? 'unknown reason';
  }
}
