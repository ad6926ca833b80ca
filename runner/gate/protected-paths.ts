import picomatch from 'picomatch';
import { git, gitOrNull, splitZero, type GitOptions } from '../guard/git.ts';

/** What file systems of forges and of people take for nothing inside a name. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** A path as the most forgiving file system reads it, so that no spelling is another path. */
const forgiving = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.replace(/[. ]+$/, '') || part)
    .join('/')
    .toLowerCase();

/** The directories that a glob names before its first wildcard: `.github`, `.github/workflows`. */
function parentsOf(pattern: string): string[] {
  const { base } = picomatch.scan(pattern);
  const parts = (base === pattern ? base.split('/').slice(0, -1) : base.split('/')).filter(Boolean);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * Makes the test of whether the change of a path counts as protected. A file, a symbolic link or a
 * submodule in the place of a directory that leads to a protected path counts too. Pure.
 */
export function protectedPaths(globs: readonly string[]): (path: string) => boolean {
  const plain = globs.map((glob) => forgiving(glob));
  const parents = new Set(plain.flatMap(parentsOf));
  const matches = picomatch(plain, { dot: true, nocase: true, nonegate: true });
  return (path) => {
    const read = forgiving(path);
    return parents.has(read) || matches(read);
  };
}

/** What can be told of a commit's changes, or why nothing can be. */
export type Changes = { known: true; paths: string[] } | { known: false };

/**
 * The protected paths that commits change which the remote does not have yet: each against its
 * parent, and a merge against what merging alone would have made of it, so that neither a merge
 * of the default branch is taken for its changes nor a merge that undoes them for none. `known` is
 * what the remote has; null: every branch and tag of the repository that is looked into.
 */
export async function readProtectedChanges(
  commit: string,
  globs: readonly string[],
  options: GitOptions,
  known: readonly string[] | null = null,
): Promise<Changes> {
  const peeled = ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`];
  const tip = await gitOrNull(peeled, options);
  if (tip === null) return { known: false };
  const unknown = known ? ['--ignore-missing', '--stdin'] : ['--not', '--branches', '--tags'];
  // Given by input: they may be more than a command line holds.
  const reading = known
    ? { ...options, input: known.map((each) => `^${each}`).join('\n') }
    : options;
  const names = ['--no-renames', '--name-only', '-z'];
  const changed = await git(
    ['log', '--remerge-diff', '--format=', ...names, tip, ...unknown],
    reading,
  );
  // Of more than two parents git remakes no merge: what differs from any of them counts.
  const many = await git(['rev-list', '--min-parents=3', tip, ...unknown], reading);
  const octopuses = many.split('\n').filter(Boolean);
  const lists = await Promise.all(
    octopuses.map((each) =>
      git(['diff-tree', '-m', '-r', '--no-commit-id', ...names, each], options),
    ),
  );
  const isProtected = protectedPaths(globs);
  const paths = [changed, ...lists].flatMap(splitZero).filter(isProtected);
  return { known: true, paths: [...new Set(paths)].toSorted() };
}
