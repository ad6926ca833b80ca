import type { FileDiff } from '../../../protocol/engine-event.ts';
import { createdFile } from '../file-diff.ts';
import { capHead } from '../text-cap.ts';
import { fileResult } from './lines.ts';

/** Reads the file change that a tool's result tells of, as a unified diff; none for other tools. */
export function parseFileDiffs(toolUseResult: unknown): FileDiff[] {
  const parsed = fileResult.safeParse(toolUseResult);
  if (!parsed.success) return [];
  const { filePath, type, content, originalFile, structuredPatch } = parsed.data;
  const created = type === 'create' || (originalFile === null && structuredPatch.length === 0);
  if (created) return [createdFile(filePath, content ?? '')];
  const lines = structuredPatch.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  if (lines.length === 0) return [];
  const changed = structuredPatch.flatMap((hunk) => hunk.lines);
  return [
    {
      path: filePath,
      change: 'edited',
      patch: capHead(lines.join('\n')),
      additions: changed.filter((line) => line.startsWith('+')).length,
      deletions: changed.filter((line) => line.startsWith('-')).length,
    },
  ];
}
