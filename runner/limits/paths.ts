import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';

/**
 * Whether `path` is `directory` or lies in it, compared by whole path segments: `/srv/app-old`
 * is not in `/srv/app`. Both must be absolute and free of symbolic links, see {@link realPathOf}.
 */
export function isWithin(directory: string, path: string): boolean {
  const top = withoutTrailingSeparator(normalize(directory));
  const inner = withoutTrailingSeparator(normalize(path));
  if (!isAbsolute(top) || !isAbsolute(inner)) return false;
  return inner === top || inner.startsWith(top === sep ? sep : top + sep);
}

/** Replaces a leading `~` by the home directory. `~name` is not a home of ours and stays. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/**
 * The path without symbolic links. A path that cannot be resolved is returned as written: no
 * real path lies in it, except one that has none of its links to escape through.
 */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return withoutTrailingSeparator(normalize(path));
  }
}

/**
 * The nearest directory at or above an absolute one that has a `.git`, which is a file in a linked
 * worktree; null where there is none.
 */
export function repositoryTopOf(directory: string): string | null {
  if (existsSync(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? null : repositoryTopOf(parent);
}

function withoutTrailingSeparator(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}
