import { AdrFailure } from '../failure.ts';
import { runGit, runGitBytes } from '../tree/git.ts';

/** The texts of blobs by their ids, in one run of git. Throws when one is not there. */
export function readBlobs(root: string, ids: readonly string[]): Map<string, string> {
  const wanted = [...new Set(ids)];
  const texts = new Map<string, string>();
  if (wanted.length === 0) return texts;
  const bytes = runGitBytes(root, ['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  let at = 0;
  for (const id of wanted) {
    const end = bytes.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(bytes.toString('utf8', at, end))?.[1];
    if (size === undefined) {
      throw new AdrFailure(
        'git_failed',
        `git does not have ${id}, so the history of the records is not known. Look at the clone with \`git fsck\`.`,
      );
    }
    const start = end + 1;
    texts.set(id, bytes.toString('utf8', start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return texts;
}

/** What git says of names such as `HEAD:docs/adr`, in their order; null for what is not there. */
export function readKinds(root: string, names: readonly string[]): (string | null)[] {
  if (names.length === 0) return [];
  const format = '--batch-check=%(objecttype) %(objectname)';
  const lines = runGit(root, ['cat-file', format], `${names.join('\n')}\n`).split('\n');
  return names.map((_, index) => {
    const line = lines[index] ?? '';
    return /^(tree|blob) [0-9a-f]+$/.test(line) ? line : null;
  });
}

/** A change of a file between a commit and one of its parents; `null` where there is no file. */
export type FileChange = {
  commit: string;
  path: string;
  before: string | null;
  after: string | null;
};

const NO_BLOB = /^0+$/;

/** Reads `--raw -z --no-abbrev` under headings `\x01<commit>`, one block for each parent. */
export function parseRaw(output: string): FileChange[][] {
  return output
    .split('\u0001')
    .slice(1)
    .map((block) => {
      const [heading = '', ...rest] = block.split('\0').map((part) => part.replace(/^\n+/, ''));
      const parts = rest.filter((part) => part !== '');
      const changes: FileChange[] = [];
      for (let at = 0; at + 1 < parts.length; at += 2) {
        const [, , before = '', after = ''] = (parts[at] ?? '').split(' ');
        changes.push({
          commit: heading.trim(),
          path: parts[at + 1] ?? '',
          before: NO_BLOB.test(before) ? null : before,
          after: NO_BLOB.test(after) ? null : after,
        });
      }
      return changes;
    });
}
