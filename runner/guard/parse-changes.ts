import type { ReviewedFile } from '../../protocol/review.ts';
import { splitZero } from './git.ts';

const CHANGES: Readonly<Record<string, ReviewedFile['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
};

/**
 * Reads what `git diff --raw -z` and `--numstat -z` say of the same two trees (git-diff-tree(1),
 * Raw output format; git-diff(1), Other diff formats). Pure. Sorted by path.
 */
export function parseChanges(raw: string, counts: string): ReviewedFile[] {
  const lines = parseCounts(counts);
  return parseRaw(raw)
    .map(({ path, was, change }) => ({
      path,
      was,
      change,
      ...(lines.get(path) ?? { additions: null, deletions: null }),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

type RawChange = Pick<ReviewedFile, 'path' | 'was' | 'change'> & {
  /** What stood where other content stands now, by its name in git; null: something else changed. */
  edited: string | null;
};

/** Reads what `git diff --raw -z` and its relatives say. Pure. */
export function parseRaw(raw: string): RawChange[] {
  const fields = splitZero(raw);
  const files: RawChange[] = [];
  for (let at = 0; at < fields.length;) {
    const [mode = '', after, blob = '', , kind = 'M'] = (fields[at] ?? '').split(' ');
    const status = kind.charAt(0);
    const moved = status === 'R' || status === 'C';
    const before = fields[at + 1] ?? '';
    const path = moved ? (fields[at + 2] ?? before) : before;
    at += moved ? 3 : 2;
    files.push({
      path,
      was: status === 'R' ? before : null,
      change: CHANGES[status] ?? 'edited',
      edited: status === 'M' && mode === `:${after}` ? blob : null,
    });
  }
  return files;
}

type Counts = Pick<ReviewedFile, 'additions' | 'deletions'>;

/** Lines that came and went, by the path after; `-` is a file that is no text. */
function parseCounts(counts: string): Map<string, Counts> {
  const fields = splitZero(counts);
  const lines = new Map<string, Counts>();
  for (let at = 0; at < fields.length;) {
    const [added = '-', deleted = '-', path = ''] = (fields[at] ?? '').split('\t');
    // A file that moved has an empty path here, and its two in fields of their own.
    const moved = path === '';
    const after = moved ? (fields[at + 2] ?? '') : path;
    at += moved ? 3 : 1;
    lines.set(after, { additions: linesOf(added), deletions: linesOf(deleted) });
  }
  return lines;
}

const linesOf = (text: string): number | null => (text === '-' ? null : Number(text));
