import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint } from '../../protocol/checkpoints.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { ForkPoint } from '../../protocol/fork.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { sourceOptions } from './bring-back.ts';
import { placesOf, type OwnCheckout } from './checkout.ts';
import { listCheckpoints, objectsOf } from './checkpoints.ts';
import { git, gitOrNull } from './git.ts';
import { besideOptions } from './record-tree.ts';
import { US } from './uncommitted.ts';

/** What a fork's checkout starts from: a commit, and one on top of it with what was in none. */
export type ForkFiles = { base: string; uncommitted: string | null };

/** The checkout of a session, as its record has it; null where it is gone. */
export async function findCheckout(
  root: string,
  sessionId: SessionId,
): Promise<OwnCheckout | null> {
  try {
    return JSON.parse(await readFile(placesOf(root, sessionId).record, 'utf8')) as OwnCheckout;
  } catch {
    return null;
  }
}

/** The same of a session that is forked. Throws `fork_unavailable` where it is gone. */
export async function readForked(root: string, sessionId: SessionId): Promise<OwnCheckout> {
  const checkout = await findCheckout(root, sessionId);
  if (checkout) return checkout;
  const detail = 'Its checkout is not on this machine any more.';
  throw new PilothouseError('fork_unavailable', { detail });
}

/** The files at a point: the newest that were kept there, or those right after its turn. Pure. */
export function findForkFiles(
  items: readonly Checkpoint[],
  { turnId, filesNow }: Pick<ForkPoint, 'turnId' | 'filesNow'>,
): Checkpoint | null {
  const there = items.filter((each) => each.kind === 'turn' && each.turnId === turnId);
  return (filesNow ? there[0] : there.at(-1)) ?? null;
}

/**
 * Brings the files that a session had into the repository that it is of, from which a fork borrows
 * them. What the session could have written itself is taken in under the names that its content
 * has, and with everything that it refers to. Throws `fork_unavailable` and `workspace_refused`.
 */
export async function bringForkFiles(from: OwnCheckout, point: ForkPoint): Promise<ForkFiles> {
  const kept = findForkFiles(await listCheckpoints(from), point);
  if (!kept) {
    const detail = `The files after its turn ${point.number} are not kept, or not any more.`;
    throw new PilothouseError('fork_unavailable', { detail });
  }
  const into = await sourceOptions(from);
  const isThere = async (commit: string) =>
    (await gitOrNull(['cat-file', '-e', `${commit}^{commit}`], into)) !== null;
  const { commit: head = from.baseCommit, tree } = kept;
  // What could not be brought back is in the files all the same, in no commit.
  const base = (await isThere(head)) ? head : from.baseCommit;
  if (tree === (await git(['rev-parse', `${base}^{tree}`], into)))
    return { base, uncommitted: null };
  const objects = objectsOf(from);
  const beside = besideOptions(from, objects);
  const named = { ...beside, env: { ...beside.env, ...US } };
  const message = 'Files of the session that was forked';
  const commit = await git(['commit-tree', tree, '-p', base, '-m', message], named);
  // Two forks of one point are of one second, and so of one content: neither takes the other's away.
  const name = join(objects, `fork-${randomUUID()}`);
  const input = `${commit}\n^${base}\n`;
  const hash = await git(['pack-objects', '--revs', '--quiet', name], { ...beside, input });
  const pack = `${name}-${hash}.pack`;
  const index = `${name}-${hash}.taken`;
  try {
    // By its own list the pack may call anything by any name: it is read, and listed anew.
    await git(['index-pack', '--strict', '-o', index, pack], into);
    await addPack(join(from.source.commonDirectory, 'objects', 'pack'), `fork-${hash}`, {
      pack,
      idx: index,
    });
  } finally {
    for (const each of [pack, index, `${name}-${hash}.idx`, `${name}-${hash}.rev`])
      await rm(each, { force: true });
  }
  return { base, uncommitted: commit };
}

/** Adds a pack to a repository; git looks for its list, which comes last. */
async function addPack(
  directory: string,
  name: string,
  files: Readonly<Record<'pack' | 'idx', string>>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const kind of ['pack', 'idx'] as const) {
    const at = join(directory, `pack-${name}.${kind}`);
    // Git clears away a file with such a beginning that is left behind.
    const beside = join(directory, `tmp_${randomUUID()}.${kind}`);
    try {
      await copyFile(files[kind], beside);
      await rename(beside, at);
    } finally {
      await rm(beside, { force: true });
    }
  }
}
