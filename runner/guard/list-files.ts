import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Checkout } from './checkout.ts';
import { git, gitOrNull, splitZero, type GitOptions } from './git.ts';
import { readPersonalConfig, safeDirectories } from './source.ts';
import { viewOptions } from './view.ts';

/** How long git may take to list a checkout, in ms: somebody waits at a keyboard. */
const LIST_MS = 8_000;
/** Files that are listed: a search looks at each of them, and whatever else the machine does waits. */
export const LISTED_MAX = 20_000;
/** Never offered outside of git, which has a list of what to leave out. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export type ListedFiles = { paths: string[]; more: boolean };

/**
 * The files in which a session works, from its directory: those that git tracks and those that it
 * would, as they lie there now. Git reads the runner's own view of a checkout; links are followed
 * nowhere, so that nothing outside is named. It may be called while an engine writes there.
 */
export async function listFiles(checkout: Checkout): Promise<ListedFiles> {
  if (checkout.mode === 'inPlace') return listDirectoryFiles(checkout.directory);
  const inside = relative(checkout.top, checkout.directory);
  const paths = await listByGit(viewOptions(checkout));
  if (inside === '') return nearest(paths);
  const start = `${inside}/`;
  const below = paths.filter((path) => path.startsWith(start));
  return nearest(below.map((path) => path.slice(start.length)));
}

/** The same of a directory of the person's, which need not be in a repository. */
export async function listDirectoryFiles(directory: string): Promise<ListedFiles> {
  const own = await readPersonalConfig(directory);
  const excludes = own.get('core.excludesfile')?.at(-1);
  const options: GitOptions = {
    directory,
    config: [
      ...safeDirectories(own),
      ...(excludes === undefined ? [] : ([['core.excludesFile', excludes]] as const)),
    ],
  };
  const inTree = await gitOrNull(['rev-parse', '--is-inside-work-tree'], options);
  if (inTree === 'true') return nearest(await listByGit(options));
  return inTree === null ? walkFiles(directory, Date.now) : { paths: [], more: false };
}

async function listByGit(options: GitOptions): Promise<string[]> {
  const list = (...flags: string[]) =>
    git(['ls-files', '-z', ...flags], { ...options, timeoutMs: LIST_MS });
  const [there, gone] = await Promise.all([
    list('--cached', '--others', '--exclude-standard'),
    list('--deleted'),
  ]);
  const missing = new Set(splitZero(gone));
  // A repository inside is named as a directory; a conflict names its file once for each side.
  return [...new Set(splitZero(there))].filter(
    (path) => !missing.has(path) && !path.endsWith('/') && isSayable(path),
  );
}

/** A name with a line break or an escape in it is no word of an instruction. */
const isSayable = (path: string): boolean => !/\p{Cc}/u.test(path);

/** How many directories a path is below where it begins, and itself. Pure. */
export function depthOf(path: string): number {
  let depth = 1;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

/** As many as are listed, those near the top before others. Pure. */
export function nearest(paths: string[], max = LISTED_MAX): ListedFiles {
  if (paths.length <= max) return { paths, more: false };
  const levels = new Map<number, string[]>();
  for (const path of paths) {
    const depth = depthOf(path);
    const level = levels.get(depth);
    if (level) level.push(path);
    else levels.set(depth, [path]);
  }
  const depths = [...levels.keys()].toSorted((one, other) => one - other);
  return { paths: depths.flatMap((depth) => levels.get(depth) ?? []).slice(0, max), more: true };
}

/**
 * Directory by directory, those near the top first, until there are too many, or it takes too long:
 * of a directory of no repository nothing says what matters, or how much there is.
 */
export async function walkFiles(top: string, now: () => number): Promise<ListedFiles> {
  const paths: string[] = [];
  const waiting = [top];
  const until = now() + LIST_MS;
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (now() > until) return { paths, more: true };
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && isSayable(path)) {
        if (paths.length === LISTED_MAX) return { paths, more: true };
        paths.push(relative(top, path).split(sep).join('/'));
      }
    }
  }
  return { paths, more: false };
}
