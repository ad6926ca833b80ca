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
import type { Look, Seen } from '../acts/sight.ts';
import { isWithin, realPathOf, repositoryTopOf } from '../limits/paths.ts';

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Of a longer file it is its beginning that is looked at. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Looks at files of one directory, by their path from there or an absolute one: regular files that
 * lie in it, or in `root`, once every link is followed, the first 4 MiB of each. Null for anything
 * else. The directory may be a session's, which changes what it likes at any moment: the file that
 * was opened must be the one that lies there.
 */
export function lookIn(directory: string, root = directory): Look {
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
export function lookAround(directory: string): Look {
  const real = realPathOf(directory);
  return lookIn(real, repositoryTopOf(real) ?? real);
}

function readWithin(root: string, path: string): Seen | null {
  const real = realpathSync(path);
  if (!isWithin(root, real)) return null;
  const file = openSync(real, FLAGS);
  try {
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile()) return null;
    const there = lstatSync(realpathSync(real), { bigint: true });
    const same = there.ino === opened.ino && there.dev === opened.dev;
    if (!same || !isWithin(root, realpathSync(real))) return null;
    const bytes = Buffer.alloc(Math.min(Number(opened.size), MAX_BYTES));
    const length = readSync(file, bytes, 0, bytes.byteLength, 0);
    return { text: bytes.toString('utf8', 0, length), whole: opened.size <= MAX_BYTES };
  } finally {
    closeSync(file);
  }
}
