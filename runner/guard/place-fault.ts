import { lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StandingFault } from '../limits/standing.ts';
import type { Checkout, OwnCheckout } from './checkout.ts';
import { runGit } from './git.ts';
import { hasRepositoryAbove } from './source.ts';

/** How long git may look for one commit, on a disk that may not answer. */
const LOOK_MS = 20_000;

/**
 * Finds what has become of the place that a session works in: deleted by hand, emptied, moved, or
 * something else in its stead; null where it is there. An engine that was started all the same would
 * take the work for lost, or begin it anew where there is nothing. Throws `workspace_refused` when git
 * does not answer in time.
 */
export async function findPlaceFault(checkout: Checkout): Promise<StandingFault | null> {
  if (checkout.mode === 'own') return findCheckoutFault(checkout);
  const { directory, baseCommit } = checkout;
  if (!(await isDirectory(directory))) return { code: 'directory_missing', detail: directory };
  if (baseCommit === null || hasRepositoryAbove(directory)) return null;
  return {
    code: 'workspace_refused',
    detail: `${directory} was in a git repository when the session was launched, and is in none now: a disk may not be mounted. Put the repository back, or run \`git init\` there if it is meant to be gone, then send the instruction again.`,
  };
}

async function findCheckoutFault(checkout: OwnCheckout): Promise<StandingFault | null> {
  const { top, directory, branch, source } = checkout;
  const gone = (what: string): StandingFault => ({
    code: 'checkout_gone',
    detail: `${what} Commits of its turns are in ${source.top} on the branch ${branch}.`,
  });
  if (!(await isDirectory(top))) return gone(`Nothing is at ${top}.`);
  if (!(await isOpened(checkout)))
    return gone(
      `What is at ${top} is not the checkout, or what git needs of it or of ${source.commonDirectory} is gone.`,
    );
  if (await isDirectory(directory)) return null;
  return gone(`The checkout has no ${directory} any more, where the session works.`);
}

/**
 * Whether git finds the commit that the checkout began from. It is asked through the runner's own
 * view, which nothing of the session's configures, and reads one object.
 */
async function isOpened({ top, view, baseCommit }: OwnCheckout): Promise<boolean> {
  // The view has a head of its own, whatever became of the checkout's.
  if (!(await lstat(join(top, '.git', 'HEAD')).catch(() => null))?.isFile()) return false;
  if (!(await isDirectory(view))) return false;
  const { exitCode } = await runGit(['cat-file', '-e', `${baseCommit}^{commit}`], {
    directory: dirname(view),
    env: { GIT_DIR: view },
    timeoutMs: LOOK_MS,
  });
  return exitCode === 0;
}

/** A directory, also behind a link; false for anything else, and for what may not be looked at. */
const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
