import { createHash, randomUUID } from 'node:crypto';
import { constants, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCodeOf } from '../failure.ts';
import { isWithin } from '../limits/paths.ts';
import type { Pointer } from './pointers.ts';

/** Where git-lfs keeps the content of a pointer, below a directory of objects. */
export const objectPath = (store: string, { oid }: Pick<Pointer, 'oid'>): string =>
  join(store, oid.slice(0, 2), oid.slice(2, 4), oid);

/** The objects of Git LFS of a repository, by the person's configuration (`lfs.storage`). */
export function storeOf(
  gitDirectory: string,
  config: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const named = config.get('lfs.storage')?.at(-1);
  if (!named) return join(gitDirectory, 'lfs', 'objects');
  return join(isAbsolute(named) ? named : join(gitDirectory, named), 'objects');
}

/** Whether a store has the content, by its size; what is copied out of it is checked then. */
export async function hasObject(store: string, pointer: Pointer): Promise<boolean> {
  const found = await stat(objectPath(store, pointer)).catch(() => null);
  return found?.isFile() === true && found.size === pointer.size;
}

/**
 * Copies one content from a store to another, and says whether it is there then. What is copied is
 * what its name says, or nothing: a session may have written the store that it comes from.
 */
export async function copyObject(from: string, to: string, pointer: Pointer): Promise<boolean> {
  if (await hasObject(to, pointer)) return true;
  const target = objectPath(to, pointer);
  const passing = `${target}.${randomUUID()}`;
  try {
    const path = objectPath(from, pointer);
    if (!isWithin(await realpath(from), await realpath(path))) return false;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    if (!(await readContent(path, pointer, passing))) return false;
    await rename(passing, target);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ELOOP') return false;
    throw error;
  } finally {
    await rm(passing, { force: true });
  }
}

/** Whether a file has the content that a pointer stands for; with `copy`, writes it there as it reads. */
export async function readContent(
  path: string,
  { oid, size }: Pointer,
  copy: string | null = null,
): Promise<boolean> {
  // A file that a session may write could have become a link, or a pipe that is never at its end.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile() || found.size !== size) return false;
  const hash = createHash('sha256');
  const hashing = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const read = file.createReadStream({ autoClose: false, end: Math.max(size - 1, 0) });
  const sink =
    copy === null
      ? new PassThrough().resume()
      : createWriteStream(copy, { flags: 'wx', mode: 0o600 });
  await pipeline(read, hashing, sink);
  return hash.digest('hex') === oid;
}

/** Deletes every content of a store but these. */
export async function keepObjects(store: string, kept: ReadonlySet<string>): Promise<void> {
  if (!existsSync(store)) return;
  for (const name of await readdir(store, { recursive: true })) {
    const oid = name.split('/').at(-1) ?? '';
    if (/^[0-9a-f]{64}$/.test(oid) && !kept.has(oid)) await rm(join(store, name), { force: true });
  }
}
