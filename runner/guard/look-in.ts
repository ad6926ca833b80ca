import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { isWithin, realPathOf, repositoryTopOf } from '../limits/paths.ts';

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Longer scripts are not looked through. */
const MAX_BYTES = 64 * 1024;

/**
 * Looks at files of one directory, by their path from there or an absolute one: regular files of
 * 64 KiB at most, that lie in it, or in `root`, once every link is followed. Null for anything else.
 * The directory may be a session's, which changes what it likes at any moment: the file that was opened must be
 * the one that lies there.
 */
export function lookIn(directory: string, root = directory): (path: string) => string | null {
  return (path) => {
    try {
      return readWithin(realpathSync(root), resolve(directory, path));
    } catch {
      return null;
    }
  };
}

/**
 * The same from a directory in which somebody works by hand, who may run what lies anywhere in their
 * repository; where there is none, what lies below that directory.
 */
export function lookAround(directory: string): (path: string) => string | null {
  const real = realPathOf(directory);
  return lookIn(real, repositoryTopOf(real) ?? real);
}

function readWithin(root: string, path: string): string | null {
  const real = realpathSync(path);
  if (!isWithin(root, real)) return null;
  const file = openSync(real, FLAGS);
  try {
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile() || opened.size > MAX_BYTES) return null;
    const there = lstatSync(realpathSync(real), { bigint: true });
    const same = there.ino === opened.ino && there.dev === opened.dev;
    if (!same || !isWithin(root, realpathSync(real))) return null;
    const bytes = Buffer.alloc(Number(opened.size));
    const length = readSync(file, bytes, 0, bytes.byteLength, 0);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
