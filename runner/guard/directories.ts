import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import type { DirectoryListing } from '../../protocol/command.ts';
import { isDirectoryAllowed, type Limits } from '../limits.ts';
import { expandHome, isWithin } from '../limits/paths.ts';

/**
 * Completes a path: `/home/ada/co` lists what begins so, `/home/ada/` everything inside, the
 * empty path the allowed directories themselves. Hidden directories are listed once a dot is
 * typed. Nothing outside the allowed directories is read: above them, only the way down to them
 * is shown. A directory that cannot be read is empty.
 */
export async function listDirectories(
  path: string,
  limit: number,
  limits: Limits,
  home = homedir(),
): Promise<DirectoryListing> {
  if (path === '') return await listAllowed(limits, limit);
  const typed = expandHome(path, home);
  const directory = typed.endsWith(sep) ? typed : dirname(typed);
  const start = typed.endsWith(sep) ? '' : basename(typed);
  if (!directory.startsWith(sep)) return { path, entries: [], more: false };
  const real = await realpath(directory).catch(() => null);
  const names =
    real !== null && isDirectoryAllowed(limits, real)
      ? await readNames(real)
      : namesTowards(limits, directory);
  const wanted = names
    .filter((name) => name.startsWith(start) && (!name.startsWith('.') || start.startsWith('.')))
    .toSorted();
  return {
    path: withoutEnd(directory),
    ...(await collect(
      wanted.map((name) => join(directory, name)),
      limit,
      limits,
    )),
  };
}

async function listAllowed(limits: Limits, limit: number): Promise<DirectoryListing> {
  return { path: '', ...(await collect([...limits.directories], limit, limits)) };
}

async function collect(
  paths: readonly string[],
  limit: number,
  limits: Limits,
): Promise<Omit<DirectoryListing, 'path'>> {
  const entries: DirectoryListing['entries'] = [];
  for (const path of paths) {
    if (!(await isOffered(path, limits))) continue;
    if (entries.length === limit) return { entries, more: true };
    entries.push({ name: basename(path) || path, path, repository: await isRepository(path) });
  }
  return { entries, more: false };
}

/** Directories only, and through a link only to where sessions may work. */
async function isOffered(path: string, limits: Limits): Promise<boolean> {
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) return false;
    return (
      isDirectoryAllowed(limits, real) ||
      limits.directories.some((directory) => isWithin(real, directory))
    );
  } catch {
    // Gone, a dangling link, or not ours to look at: nothing to offer.
    return false;
  }
}

async function readNames(directory: string): Promise<string[]> {
  try {
    const found = await readdir(directory, { withFileTypes: true });
    return found.filter(mayBeDirectory).map((entry) => entry.name);
  } catch {
    return [];
  }
}

function mayBeDirectory(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink();
}

/** The next step from a directory down to each allowed one, taken from the limits alone. */
function namesTowards(limits: Limits, directory: string): string[] {
  const above = withoutEnd(directory);
  const inside = limits.directories.filter(
    (allowed) => allowed !== above && isWithin(above, allowed),
  );
  return [
    ...new Set(
      inside.map(
        (allowed) => allowed.slice(above === sep ? 1 : above.length + 1).split(sep)[0] ?? '',
      ),
    ),
  ];
}

async function isRepository(path: string): Promise<boolean> {
  return await lstat(join(path, '.git')).then(
    () => true,
    () => false,
  );
}

function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}
