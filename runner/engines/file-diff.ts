import { structuredPatch } from 'diff';
import type { FileDiff } from '../../protocol/engine-event.ts';
import { capHead } from './text-cap.ts';

/** A file that was not there before, as the diff that adds every line of it. */
export const createdFile = (path: string, content: string): FileDiff =>
  wholeFile(path, content, 'created');

/** A file that is gone, as the diff that takes every line of it away. */
export const deletedFile = (path: string, content: string): FileDiff =>
  wholeFile(path, content, 'deleted');

/** A change that the engine itself tells as hunks of a unified diff. */
export function editedFile(path: string, hunks: string): FileDiff {
  const all = hunks.split('\n');
  // Behind a hunk's head `--- x` is a line taken away that began with `-- `; before it, a file's head.
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => line.startsWith('@@')),
    ),
  );
  return {
    path,
    change: 'edited',
    patch: capHead(hunks),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}

function wholeFile(path: string, content: string, change: 'created' | 'deleted'): FileDiff {
  const created = change === 'created';
  const whole = content.endsWith('\n');
  const lines = content === '' ? [] : (whole ? content.slice(0, -1) : content).split('\n');
  const marked = lines.map((line) => `${created ? '+' : '-'}${line}`);
  if (content !== '' && !whole) marked.push('\\ No newline at end of file');
  const range = created ? `@@ -0,0 +1,${lines.length} @@` : `@@ -1,${lines.length} +0,0 @@`;
  return {
    path,
    change,
    patch: capHead(lines.length === 0 ? '' : [range, ...marked].join('\n')),
    additions: created ? lines.length : 0,
    deletions: created ? 0 : lines.length,
  };
}

/** A file as it was and as it is, or the part of it that changed. */
export function changedFile(change: {
  path: string;
  oldText?: string | null | undefined;
  newText: string;
}): FileDiff {
  const { path, oldText, newText } = change;
  if (!oldText) return createdFile(path, newText);
  const { hunks } = structuredPatch(path, path, oldText, newText, '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return editedFile(path, lines.join('\n'));
}
