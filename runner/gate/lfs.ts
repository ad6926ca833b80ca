import { randomUUID } from 'node:crypto';
import { git, type GitOptions } from '../guard/git.ts';
import { isNothing, type PushVerdict } from './policy.ts';

/** No pointer is larger, in bytes (git-lfs, docs/spec.md). */
const POINTER_MAX_BYTES = 1_024;
const POINTER =
  /^version https:\/\/(git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\n(.*\n)*oid sha256:[0-9a-f]{64}\n/;

/**
 * The paths of Git LFS pointers in commits that the remote does not have yet. What they stand for
 * is not in git, and so passes no gate: the remote would name contents that nobody ever gave it.
 */
export async function readNewPointers(commit: string, options: GitOptions): Promise<string[]> {
  if (isNothing(commit)) return [];
  const small = `--filter=blob:limit=${POINTER_MAX_BYTES + 1}`;
  const unknown = ['--not', '--branches', '--tags'];
  const listed = await git(['rev-list', '--objects', small, commit, ...unknown], options);
  const paths = new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [, id = '', path = ''] = /^(\S+) (.+)$/.exec(line) ?? [];
      return path === '' ? [] : [[id, path]];
    }),
  );
  if (paths.size === 0) return [];
  const input = [...paths.keys()].map((id) => `${id}\n`).join('');
  // No content can hold what is thought of now, and so none can pass for another's beginning.
  const mark = randomUUID();
  const format = `--batch=${mark} %(objectname) %(objecttype)`;
  const contents = await git(['cat-file', format], { ...options, input });
  return parsePointers(contents, mark).flatMap((id) => paths.get(id) ?? []);
}

/** Which of the objects that git printed, each behind the mark, its name and its kind, are pointers. */
function parsePointers(contents: string, mark: string): string[] {
  return contents.split(`${mark} `).flatMap((part) => {
    const end = part.indexOf('\n');
    const id = /^([0-9a-f]{40,64}) blob$/.exec(part.slice(0, end))?.[1];
    return id !== undefined && POINTER.test(part.slice(end + 1)) ? [id] : [];
  });
}

/** Refuses a push for the pointers that it brings. Pure. */
export function judgePointers(paths: readonly string[]): PushVerdict {
  const [first, ...rest] = paths.map((path) => JSON.stringify(path).slice(1, -1));
  if (first === undefined) return { kind: 'allow' };
  const named = rest.length === 0 ? first : `${first} and ${rest.length} more`;
  const reason = `it brings Git LFS pointers (${named}) whose contents no remote has, for the gate passes on no LFS objects; leave them out of every commit, or ask a person to push it with git-lfs`;
  return { kind: 'refuse', reason };
}
