import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointList, CHECKPOINTS_MAX, type Checkpoint } from '../../protocol/checkpoints.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { systemCodeOf } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';
import type { OwnCheckout } from './checkout.ts';
import { git, gitOrNull, runGit, splitZero } from './git.ts';
import { measureBytes } from './measure.ts';
import { besideOptions, countForTree, recordTree } from './record-tree.ts';
import { viewOptions } from './view.ts';

/** Beyond this the files of earlier checkpoints are given up, in bytes. */
const OBJECTS_MAX_BYTES = 2 * 1024 ** 3;

/** The next turn waits for so long at most, in ms: data that nobody ignored may be of any size. */
const RECORD_MS = 20_000;

/** Everything as it is, byte for byte, with no program that the repository names. */
const PATCH = ['--binary', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'];

const directoryOf = ({ view }: OwnCheckout): string => join(view, 'checkpoints');
/** Where the trees are, and what only they hold. */
export const objectsOf = (checkout: OwnCheckout): string => join(directoryOf(checkout), 'objects');
const listOf = (checkout: OwnCheckout): string => join(directoryOf(checkout), 'list.json');

/** The checkpoints of a session's checkout, newest first. They go when the checkout goes. */
export async function listCheckpoints(checkout: OwnCheckout): Promise<Checkpoint[]> {
  try {
    return checkpointList.parse(JSON.parse(await readFile(listOf(checkout), 'utf8'))).items;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Keeps the files as they are, beside the checkout, which stays as it is. Nothing may write there
 * meanwhile. Throws `workspace_refused` and `review_too_large`.
 */
export async function keepCheckpoint(
  checkout: OwnCheckout,
  mark: Omit<Checkpoint, 'tree'>,
  maxBytes: number = OBJECTS_MAX_BYTES,
): Promise<Checkpoint> {
  await countForTree(checkout);
  // Whoever goes back to one needs it for as long as that takes.
  const bytes = mark.kind === 'rewind' ? 0 : ((await measureBytes(objectsOf(checkout))) ?? 0);
  if (bytes > maxBytes) await rm(directoryOf(checkout), { recursive: true, force: true });
  const commit = await gitOrNull(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    ...viewOptions(checkout),
  });
  const tree = await recordTree(checkout, objectsOf(checkout), RECORD_MS);
  const kept = { ...mark, tree, ...(commit && { commit }) };
  const items = [kept, ...(await listCheckpoints(checkout))].slice(0, CHECKPOINTS_MAX);
  replaceFile(listOf(checkout), JSON.stringify({ items }));
  return kept;
}

/** The files that are others now than in a checkpoint, by path. */
export async function listDiffering(checkout: OwnCheckout, tree: string): Promise<string[]> {
  await countForTree(checkout);
  return listNames(checkout, tree, await recordTree(checkout, objectsOf(checkout)));
}

/**
 * Writes what leads from one checkpoint to another, as a patch that git applies; of `only` these
 * files where they are named. Returns where it is, for the caller to remove, which files it changes,
 * and which of them it removes.
 */
export async function writePatch(
  checkout: OwnCheckout,
  { from, to, only = [] }: { from: string; to: string; only?: readonly string[] },
): Promise<Patch> {
  const options = besideOptions(checkout, objectsOf(checkout));
  const path = join(directoryOf(checkout), 'rewind.patch');
  await git(['diff', ...PATCH, `--output=${path}`, from, to, '--', ...only], options);
  const [names, removed] = await Promise.all([
    listNames(checkout, from, to),
    listNames(checkout, from, to, '--diff-filter=D'),
  ]);
  return { path, names, removed };
}
export type Patch = { path: string; names: string[]; removed: string[] };

/** Those of the paths that git ignores as the files are now. */
export async function listIgnored(
  checkout: OwnCheckout,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const { env, ...options } = viewOptions(checkout);
  // This command knows no literal names: `./` before each keeps a colon from being one of its signs.
  const input = paths.map((path) => `./${path}\0`).join('');
  const asked = { ...options, env: { ...env, GIT_LITERAL_PATHSPECS: '0' }, input };
  const found = await runGit(['check-ignore', '-z', '--stdin', '--no-index'], asked);
  // It ends with 1 where there are none.
  if (found.exitCode > 1)
    throw new PilothouseError('workspace_refused', { detail: found.stderr.trim().slice(0, 300) });
  return splitZero(found.stdout).map((path) => path.slice(2));
}

async function listNames(checkout: OwnCheckout, from: string, to: string, ...flags: string[]) {
  const diff = ['diff', '--no-renames', '--name-only', '-z', ...flags, from, to, '--'];
  return splitZero(await git(diff, besideOptions(checkout, objectsOf(checkout))));
}
