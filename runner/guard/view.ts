import { copyFile, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { systemCodeOf } from '../failure.ts';
import { listFilledIn } from '../lfs/checkout.ts';
import { Lanes } from '../lanes.ts';
import { replaceFile } from '../replace-file.ts';
import type { OwnCheckout } from './checkout.ts';
import { alternatesText } from './clone.ts';
import { configText, type ConfigSection } from './config-text.ts';
import { git, gitOrNull, runGit, splitZero, type GitOptions } from './git.ts';
import { isSparse } from './problems.ts';
import { configOf, type Source } from './source.ts';
import { STATUS } from './uncommitted.ts';

/**
 * Makes the view: a git directory of the runner's that looks at the checkout's objects and refs
 * through links, with a configuration, index and attributes of its own. The session can write
 * its own `.git`, so git on our side never reads configuration, hooks or attributes from there.
 */
export async function openView(checkout: OwnCheckout, source: Source): Promise<void> {
  const { view, top } = checkout;
  const inside = join(top, '.git');
  await mkdir(join(view, 'info'), { recursive: true, mode: 0o700 });
  await writeFile(join(view, 'config'), configText(sectionsOf(source)), { mode: 0o600 });
  await copyFile(join(inside, 'index'), join(view, 'index'));
  for (const file of ['exclude', 'sparse-checkout']) {
    if (existsSync(join(inside, 'info', file)))
      await copyFile(join(inside, 'info', file), join(view, 'info', file));
  }
  for (const linked of ['objects', 'refs', 'packed-refs'])
    await symlink(join(inside, linked), join(view, linked));
  await refreshView(checkout);
}

function sectionsOf(source: Source): ConfigSection[] {
  const other = source.objectFormat !== 'sha1';
  const core: [string, string][] = [
    ['repositoryformatversion', other ? '1' : '0'],
    ['bare', 'false'],
  ];
  const excludes = configOf(source, 'core.excludesfile');
  if (excludes !== null) core.push(['excludesFile', excludes]);
  if (isSparse(source)) {
    core.push(
      ['sparseCheckout', 'true'],
      ['sparseCheckoutCone', String(configOf(source, 'core.sparsecheckoutcone') === 'true')],
    );
  }
  const sections: ConfigSection[] = [{ name: 'core', values: core }];
  if (other) sections.push({ name: 'extensions', values: [['objectFormat', source.objectFormat]] });
  return sections;
}

/**
 * Brings the view up to the checkout's HEAD, and makes sure that what it looks at is still what
 * was made. Throws `workspace_refused` when the session replaced its git directory, or made it
 * borrow from another repository, whose objects would otherwise be brought back.
 */
export async function refreshView(checkout: OwnCheckout): Promise<void> {
  const { view, top } = checkout;
  const inside = join(top, '.git');
  for (const directory of ['.', 'objects', 'refs'])
    await demand(join(inside, directory), 'directory');
  for (const file of ['packed-refs', 'shallow']) {
    if (await isThere(join(inside, file))) await demand(join(inside, file), 'file');
  }
  const alternates = join(inside, 'objects', 'info', 'alternates');
  await demand(alternates, 'file');
  if ((await readFile(alternates, 'utf8')) !== alternatesText(checkout.source)) {
    throw altered(alternates);
  }
  await demand(join(inside, 'HEAD'), 'file');
  const head = await readFile(join(inside, 'HEAD'), 'utf8');
  if (!/^(ref: refs\/[^\s~^:?*[\\]+|[0-9a-f]{40,64})\n?$/.test(head))
    throw altered(join(inside, 'HEAD'));
  // Git may be looking through the view for somebody else, and takes one without a head for none.
  replaceFile(join(view, 'HEAD'), head);
  await linkShallow(view, join(inside, 'shallow'));
}

/** Whether the history is cut short may change meanwhile: a session fetches. */
async function linkShallow(view: string, shallow: string): Promise<void> {
  const link = join(view, 'shallow');
  if (!existsSync(shallow)) return await rm(link, { force: true });
  await symlink(shallow, link).catch((error: unknown) => {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  });
}

/** Git on our side over the checkout: call {@link refreshView} first. */
export function viewOptions(checkout: OwnCheckout): GitOptions {
  return { directory: checkout.top, env: { GIT_DIR: checkout.view, GIT_WORK_TREE: checkout.top } };
}

/** Commits of the checkout by ref, `HEAD` among them; a ref without a commit is left out. */
export async function listTips(checkout: OwnCheckout): Promise<Map<string, string>> {
  const options = viewOptions(checkout);
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)'], options);
  const tips = new Map<string, string>();
  for (const line of listed.split('\n')) {
    const [commit, ref] = line.split(' ', 2);
    if (commit && ref) tips.set(ref, commit);
  }
  const head = await gitOrNull(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options);
  if (head) tips.set('HEAD', head);
  return tips;
}

/** Those who write an index in one view, by the view, in turn: git's lock on it lets one of two fail. */
export const indexWriters = new Lanes<string>();

/** How many files of the checkout are changed and in no commit. */
export function countCheckoutChanges(checkout: OwnCheckout): Promise<number> {
  return indexWriters.run(checkout.view, () => countChanges(checkout));
}

async function countChanges(checkout: OwnCheckout): Promise<number> {
  const options = viewOptions(checkout);
  // Left by a machine that stopped in mid-write.
  await rm(join(checkout.view, 'index.lock'), { force: true });
  const head = await gitOrNull(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options);
  await git(head ? ['read-tree', '-i', '-m', head] : ['read-tree', '--empty'], options);
  // Its exit code says that files differ, which is what the listing is for.
  await runGit(['update-index', '-q', '--refresh'], options);
  const changed = splitZero(await git([...STATUS], options));
  if (!changed.some((line) => line.startsWith(' M '))) return changed.length;
  const filled = await listFilledIn(checkout.top, options);
  return changed.length - filled.length;
}

async function demand(path: string, kind: 'file' | 'directory'): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    throw systemCodeOf(error) === 'ENOENT' ? altered(path) : error;
  });
  if (!(kind === 'file' ? stats.isFile() : stats.isDirectory())) throw altered(path);
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

function altered(path: string): PilothouseError {
  const detail = `${path} is not what was made for the session; its work stays in the checkout and is not brought back`;
  return new PilothouseError('workspace_refused', { detail });
}
