import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCodeOf } from '../failure.ts';
import { listUnbrought } from '../lfs/checkout.ts';
import { bringBack, sourceOptions } from './bring-back.ts';
import { broughtRef, keepRef, nameRef, type OwnCheckout } from './checkout.ts';
import { git, runGit } from './git.ts';
import { countCheckoutChanges, listTips, refreshView, viewOptions } from './view.ts';

/** Whether the checkout is gone; if it stays, what would be lost, as sentences. */
export type Release = { removed: true } | { removed: false; losses: readonly string[] };

/**
 * Removes a session's checkout once all of its work is in the person's branches; the branches
 * stay. Anything that would be lost (uncommitted files, a stash, commits that no branch of
 * theirs holds) keeps the whole checkout, unless it is to be discarded. What can be brought back
 * is brought back even then.
 */
export async function releaseCheckout(checkout: OwnCheckout, discard: boolean): Promise<Release> {
  if (!existsSync(checkout.top)) return { removed: true };
  const losses = await listLosses(checkout);
  if (losses.length > 0 && !discard) return { removed: false, losses };
  await removeCheckout(checkout);
  return { removed: true };
}

/**
 * What removing a checkout would lose, each as a sentence. Brings back what can be brought back
 * first. A checkout that git cannot look into counts as one with work in it.
 */
export async function listLosses(checkout: OwnCheckout): Promise<string[]> {
  if (!existsSync(checkout.top)) return [];
  try {
    await bringBack(checkout, null);
    return await findUnsaved(checkout);
  } catch (error) {
    return [`What is in it cannot be told: ${messageOf(error)}`];
  }
}

async function findUnsaved(checkout: OwnCheckout): Promise<string[]> {
  await refreshView(checkout);
  const losses: string[] = [];
  const uncommitted = await countCheckoutChanges(checkout);
  if (uncommitted > 0) losses.push(`${sayCount(uncommitted, 'changed file')} in no commit.`);
  const tips = await listTips(checkout);
  if (tips.has('refs/stash')) losses.push('There is a stash.');
  if (await hasEntries(join(checkout.top, '.git', 'modules')))
    losses.push('Submodules are in the checkout, which are not brought back.');
  tips.delete('refs/stash');
  const own = [...tips].flatMap(([ref, tip]) => (ref.startsWith('refs/remotes/') ? [] : [tip]));
  const files = await listUnbrought(checkout, [...new Set(own)], viewOptions(checkout));
  if (files.length > 0)
    losses.push(`${sayCount(files.length, 'file')} of Git LFS in the checkout alone.`);
  const unsaved = await countUnsaved(checkout, [...new Set(tips.values())]);
  if (unsaved > 0) losses.push(`${sayCount(unsaved, 'commit')} in no branch of the repository.`);
  return losses;
}

const sayCount = (count: number, what: string): string =>
  count === 1 ? `1 ${what} is` : `${count} ${what}s are`;

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
  // A repository that is gone took its refs along.
  if (!existsSync(checkout.source.commonDirectory)) return;
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
