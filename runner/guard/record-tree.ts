import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { OwnCheckout } from './checkout.ts';
import { git, runGit, type GitOptions } from './git.ts';
import { countCheckoutChanges, indexWriters, refreshView, viewOptions } from './view.ts';

/** So many changed files are something else than work: a directory that nobody ignored. */
const UNCOMMITTED_MAX = 20_000;

/** Git over the checkout whose new objects go to a directory of the runner's alone. */
export function besideOptions(checkout: OwnCheckout, objects: string): GitOptions {
  const options = viewOptions(checkout);
  return {
    ...options,
    config: [['core.bigFileThreshold', '8m']],
    env: {
      ...options.env,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(checkout.view, 'objects'),
    },
  };
}

/**
 * Makes ready to record the checkout's files, and counts those that are in no commit. Throws
 * `workspace_refused` for a checkout that was tampered with, and `review_too_large`.
 */
export async function countForTree(checkout: OwnCheckout): Promise<number> {
  await refreshView(checkout);
  const count = await countCheckoutChanges(checkout);
  if (count <= UNCOMMITTED_MAX) return count;
  throw new PilothouseError('review_too_large', {
    detail: `${count} files of ${checkout.top} are in no commit`,
  });
}

/** What git was writing when it was ended, which may be as large as whatever nobody ignored. */
async function removeHalves(objects: string): Promise<void> {
  const names = await readdir(objects, { recursive: true });
  const halves = names.filter((name) => basename(name).startsWith('tmp_'));
  await Promise.all(halves.map((name) => rm(join(objects, name), { force: true })));
}

/**
 * The checkout's files as they are, as a tree: those in no commit included, ignored ones not. The
 * session's own index and objects stay as they are. Nothing may write to the checkout meanwhile;
 * call {@link countForTree} first. Throws `workspace_refused`.
 */
export function recordTree(
  checkout: OwnCheckout,
  objects: string,
  timeoutMs?: number,
): Promise<string> {
  return indexWriters.run(checkout.view, () => record(checkout, objects, timeoutMs));
}

async function record(checkout: OwnCheckout, objects: string, timeoutMs?: number): Promise<string> {
  const { view } = checkout;
  const index = join(view, 'recorded.index');
  await mkdir(objects, { recursive: true, mode: 0o700 });
  // Begun from the view's, git need not read again every file that has not changed.
  await copyFile(join(view, 'index'), index);
  const options = {
    ...besideOptions(checkout, objects),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const staged = { ...options, env: { ...options.env, GIT_INDEX_FILE: index } };
  try {
    const { exitCode, stderr } = await runGit(['add', '--all', '--', '.'], staged);
    if (exitCode !== 0) {
      const detail = `the files of ${checkout.top} could not be read: ${stderr.trim().split('\n')[0]}`;
      throw new PilothouseError('workspace_refused', { detail });
    }
    return await git(['write-tree'], staged);
  } catch (error) {
    await removeHalves(objects);
    throw error;
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
