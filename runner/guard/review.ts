import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import {
  PATCH_MAX_CHARS,
  REVIEW_FILES_MAX,
  type CheckoutReview,
  type PatchQuery,
  type ReviewedPatch,
} from '../../protocol/review.ts';
import { onlyFilledIn } from '../lfs/checkout.ts';
import type { OwnCheckout } from './checkout.ts';
import { git, gitOrNull, type GitOptions } from './git.ts';
import { parseChanges } from './parse-changes.ts';
import { besideOptions, countForTree, recordTree } from './record-tree.ts';
import { refreshView } from './view.ts';

/** Renames are looked for; no program that the repository names makes or converts a diff. */
const DIFF = ['diff', '-M', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];

/**
 * Everything that differs between where the session began and its files as they are, those in no
 * commit included. They are recorded beside the checkout, in an index and objects of the runner's:
 * the session's own stay as they are. Nothing may write to the checkout meanwhile. Throws
 * `workspace_refused` for a checkout that was tampered with, and `review_too_large`.
 */
export async function reviewCheckout(checkout: OwnCheckout): Promise<CheckoutReview> {
  const uncommittedFiles = await countForTree(checkout);
  await rm(objectsOf(checkout), { recursive: true, force: true });
  const tree = await recordTree(checkout, objectsOf(checkout));
  const options = reviewOptions(checkout);
  const { baseCommit: base, branch, sessionId } = checkout;
  const own = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`];
  const head = (await gitOrNull(own, options)) ?? base;
  const commits = Number(await git(['rev-list', '--count', head, `^${base}`, '--'], options));
  const files = await listChanges(checkout, tree, options);
  return {
    sessionId,
    branch,
    base,
    head,
    tree,
    commits,
    uncommittedFiles,
    files: files.slice(0, REVIEW_FILES_MAX),
    moreFiles: Math.max(0, files.length - REVIEW_FILES_MAX),
  };
}

/** How one file of a review changed. Throws `review_stale` when the files are others by now. */
export async function readPatch(
  checkout: OwnCheckout,
  { tree, path, was }: PatchQuery,
): Promise<ReviewedPatch> {
  await refreshView(checkout);
  const options = reviewOptions(checkout);
  const known = await gitOrNull(['cat-file', '-t', tree], options);
  if (known !== 'tree') throw new PilothouseError('review_stale');
  const places = was === undefined ? [path] : [was, path];
  const whole = await git([...DIFF, checkout.baseCommit, tree, '--', ...places], options);
  const patch = whole.slice(0, PATCH_MAX_CHARS);
  return { path, patch, cutChars: whole.length - patch.length };
}

/** The tree has files of Git LFS as they stand there: those whose pointer stands for that are as before. */
async function listChanges(
  { baseCommit: base, top }: OwnCheckout,
  tree: string,
  options: GitOptions,
) {
  const [raw, counts] = await Promise.all([
    git([...DIFF, '--raw', '--no-abbrev', '-z', base, tree, '--'], options),
    git([...DIFF, '--numstat', '-z', base, tree, '--'], options),
  ]);
  const asBefore = new Set(await onlyFilledIn(top, raw, options));
  return parseChanges(raw, counts).filter(({ path }) => !asBefore.has(path));
}

const objectsOf = ({ view }: OwnCheckout): string => join(view, 'review-objects');

const reviewOptions = (checkout: OwnCheckout): GitOptions =>
  besideOptions(checkout, objectsOf(checkout));
