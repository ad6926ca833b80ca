import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCodeOf } from '../failure.ts';
import { bringBack, sourceOptions } from './bring-back.ts';
import { broughtRef, keepRef, nameRef, type Checkout, type OwnCheckout } from './checkout.ts';
import { git, runGit } from './git.ts';
import { countCheckoutChanges, listTips, refreshView, viewOptions } from './view.ts';

/** Whether the checkout is gone; if it stays, why, as a sentence. */
export type Release = { removed: true } | { removed: false; reason: string };

/**
 * Removes a session's checkout once all of its work is in the person's branches; the branches
 * stay. Anything that would be lost (uncommitted files, a stash, commits that no branch of
 * theirs holds) keeps the whole checkout, with the reason.
 */
export async function releaseCheckout(checkout: Checkout): Promise<Release> {
  if (checkout.mode === 'inPlace' || !existsSync(checkout.top)) return { removed: true };
  try {
    await bringBack(checkout, null);
    const reason = await findUnsaved(checkout);
    if (reason !== null)
      return { removed: false, reason: `${reason} The checkout stays at ${checkout.top}.` };
    await removeCheckout(checkout);
    return { removed: true };
  } catch (error) {
    return { removed: false, reason: `${messageOf(error)} The checkout stays at ${checkout.top}.` };
  }
}

async function findUnsaved(checkout: OwnCheckout): Promise<string | null> {
  await refreshView(checkout);
  const uncommitted = await countCheckoutChanges(checkout);
  if (uncommitted > 0) return `${uncommitted} changed files are in no commit.`;
  const tips = await listTips(checkout);
  if (tips.has('refs/stash')) return 'There is a stash.';
  for (const [folder, what] of [
    ['lfs/objects', 'Files of Git LFS'],
    ['modules', 'Submodules'],
  ] as const) {
    if (await hasEntries(join(checkout.top, '.git', folder)))
      return `${what} are in the checkout, which are not brought back.`;
  }
  const unsaved = await countUnsaved(checkout, [...new Set(tips.values())]);
  return unsaved === 0 ? null : `${unsaved} commits are in no branch of the repository.`;
}

/** Commits of any ref that neither a branch of the person's nor a remote holds. */
async function countUnsaved(checkout: OwnCheckout, tips: readonly string[]): Promise<number> {
  const source = await sourceOptions(checkout);
  const theirs = await git(
    ['for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/remotes', 'refs/tags'],
    source,
  );
  const known = theirs
    .split('\n')
    .filter(Boolean)
    .map((commit) => `^${commit}`);
  const input = [...tips, ...known, `^${checkout.baseCommit}`].join('\n');
  const flags = ['--count', '--ignore-missing', '--stdin', '--not', '--remotes'];
  return Number(await git(['rev-list', ...flags], { ...viewOptions(checkout), input }));
}

async function removeCheckout(checkout: OwnCheckout): Promise<void> {
  await rm(checkout.top, { recursive: true, force: true });
  await rm(dirname(checkout.view), { recursive: true, force: true });
  const options = await sourceOptions(checkout);
  const ours = await git(
    ['for-each-ref', '--format=%(refname)', 'refs/pilothouse/brought'],
    options,
  );
  const held = broughtRef(checkout.sessionId);
  const brought = ours.split('\n').filter((ref) => ref === held || ref.startsWith(`${held}--`));
  for (const ref of [...brought, nameRef(checkout.branch), keepRef(checkout.sessionId)]) {
    await runGit(['update-ref', '-d', ref], options);
  }
}

async function hasEntries(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length > 0;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
