import { randomUUID } from 'node:crypto';
import { git, splitZero, type GitOptions } from '../guard/git.ts';

/** What stands in git for a file of Git LFS: the SHA-256 of its content, and its size in bytes. */
export type Pointer = { oid: string; size: number };
export type PointerAt = Pointer & { path: string };

/** No pointer is smaller or larger, in bytes (git-lfs, docs/spec.md). */
const POINTER_MIN_BYTES = 120;
const POINTER_MAX_BYTES = 1_024;
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n(?:.*\n)*?size (\d{1,15})\n/;

/** Reads a file's content as a pointer; null when it is none. */
export function parsePointer(text: string): Pointer | null {
  const [, oid, size] = POINTER.exec(text) ?? [];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

/** What a fetched or pushed commit may have that is known already: all that a ref holds. */
const BEYOND_REFS = ['--not', '--branches', '--tags'] as const;

/**
 * The pointers that these commits have and none of `known`, as arguments of rev-list; never of a
 * tree of before. A commit of zeros is none: a ref was deleted.
 */
export async function readNewPointers(
  commits: readonly string[],
  options: GitOptions,
  known: readonly string[] = BEYOND_REFS,
): Promise<PointerAt[]> {
  const some = commits.filter((commit) => !/^0+$/.test(commit));
  if (some.length === 0) return [];
  const small = `--filter=blob:limit=${POINTER_MAX_BYTES + 1}`;
  const listed = await git(['rev-list', '--objects', small, ...some, ...known], options);
  const paths = new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [, id = '', path = ''] = /^(\S+) (.+)$/.exec(line) ?? [];
      return path === '' ? [] : [[id, path]];
    }),
  );
  return readPointers(paths, options);
}

/** The pointers in the files of one commit. */
export async function readTreePointers(commit: string, options: GitOptions): Promise<PointerAt[]> {
  const listed = await git(['ls-tree', '-r', '-z', commit], options);
  const paths = new Map(
    splitZero(listed).flatMap((entry): [string, string][] => {
      const [, id = '', path = ''] = /^\S+ blob (\S+)\t(.*)$/s.exec(entry) ?? [];
      return id === '' ? [] : [[id, path]];
    }),
  );
  return readPointers(paths, options);
}

/** Which of these objects are pointers; `paths`: by the object's name. None of another size is read. */
export async function readPointers(
  paths: ReadonlyMap<string, string>,
  options: GitOptions,
): Promise<PointerAt[]> {
  const small = await listSmall([...paths.keys()], options);
  if (small.length === 0) return [];
  const input = linesOf(small);
  // No content can hold what is thought of now, and so none can pass for another's beginning.
  const mark = randomUUID();
  const format = `--batch=${mark} %(objectname) %(objecttype)`;
  const contents = await git(['cat-file', format], { ...options, input });
  return contents.split(`${mark} `).flatMap((part) => {
    const end = part.indexOf('\n');
    const path = paths.get(/^([0-9a-f]{40,64}) blob$/.exec(part.slice(0, end))?.[1] ?? '');
    const pointer = parsePointer(part.slice(end + 1));
    return path !== undefined && pointer ? [{ ...pointer, path }] : [];
  });
}

/** Those of the objects that are as large as a pointer may be. */
async function listSmall(ids: readonly string[], options: GitOptions): Promise<string[]> {
  if (ids.length === 0) return [];
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
  const told = await git(['cat-file', format], { ...options, input: linesOf(ids) });
  return told.split('\n').flatMap((line) => {
    const [id = '', type, size] = line.split(' ');
    const bytes = Number(size);
    const fits = bytes >= POINTER_MIN_BYTES && bytes <= POINTER_MAX_BYTES;
    return type === 'blob' && fits ? [id] : [];
  });
}

const linesOf = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');
