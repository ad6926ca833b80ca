/** One line of a patch. A note is about the file, not in it. */
export type PatchLine = {
  kind: 'context' | 'added' | 'removed' | 'hunk' | 'note';
  text: string;
  /** Line numbers before and after; null where the line does not exist. */
  before: number | null;
  after: number | null;
};

/** What git says of a whole file before its hunks (git-diff(1), Generating patch text). */
const ABOUT =
  /^(new file mode|deleted file mode|old mode|new mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|Binary files|GIT binary patch)\b/;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Reads unified patch text, with or without its file header, cut or whole. Text before the first
 * hunk header is taken as lines without numbers, so that a cut patch still shows what it has.
 */
export function parsePatch(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let numbered = false;
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      numbered = true;
      lines.push({ kind: 'hunk', text: line, before: null, after: null });
    } else if (!numbered && /^(---|\+\+\+|diff |index )/.test(line)) {
      continue;
    } else if (!numbered && ABOUT.test(line)) {
      lines.push({ kind: 'note', text: line, before: null, after: null });
    } else if (line.startsWith('+')) {
      lines.push({
        kind: 'added',
        text: line.slice(1),
        before: null,
        after: numbered ? after : null,
      });
      after++;
    } else if (line.startsWith('-')) {
      lines.push({
        kind: 'removed',
        text: line.slice(1),
        before: numbered ? before : null,
        after: null,
      });
      before++;
    } else if (line.startsWith('\\')) {
      lines.push({ kind: 'note', text: line.slice(1).trim(), before: null, after: null });
    } else {
      const at = numbered ? { before, after } : { before: null, after: null };
      lines.push({ kind: 'context', text: line.replace(/^ /, ''), ...at });
      before++;
      after++;
    }
  }
  return lines;
}

/** A patch out of the two texts that an edit names: everything old goes, everything new comes. */
export function patchOfEdit(before: string, after: string): string {
  const removed = before === '' ? [] : before.split('\n').map((line) => `-${line}`);
  const added = after === '' ? [] : after.split('\n').map((line) => `+${line}`);
  return [...removed, ...added].join('\n');
}
