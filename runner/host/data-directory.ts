import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    mkdirSync(layout.root, { recursive: true, mode: OWNER_ONLY });
    for (const directory of [layout.worker, layout.runner]) {
      mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
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
