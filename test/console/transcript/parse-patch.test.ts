// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { parsePatch, patchOfEdit } from '../../../console/transcript/parse-patch.ts';

describe('a unified patch', () => {
  it('numbers each line where it exists', () => {
    expect(parsePatch('@@ -3,3 +3,3 @@\n a\n-b\n+c\n d\n')).toEqual([
      { kind: 'hunk', text: '@@ -3,3 +3,3 @@', before: null, after: null },
      { kind: 'context', text: 'a', before: 3, after: 3 },
      { kind: 'removed', text: 'b', before: 4, after: null },
      { kind: 'added', text: 'c', before: null, after: 4 },
      { kind: 'context', text: 'd', before: 5, after: 5 },
    ]);
  });

  it('starts counting again at each hunk', () => {
    const lines = parsePatch('@@ -1 +1 @@\n-a\n+b\n@@ -90,1 +95,1 @@\n z\n');
    expect(lines.at(-1)).toMatchObject({ before: 90, after: 95 });
  });

  it('does without its file header', () => {
    const lines = parsePatch('diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n+a\n');
    expect(lines.map((line) => line.kind)).toEqual(['hunk', 'added']);
  });

  it('tells what is said of the whole file apart from its lines', () => {
    const made = 'diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n';
    const lines = parsePatch(`${made}@@ -0,0 +1 @@\n+new file mode\n`);
    expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['note', 'new file mode 100644'],
      ['hunk', '@@ -0,0 +1 @@'],
      ['added', 'new file mode'],
    ]);
    const moved = parsePatch('similarity index 100%\nrename from a\nrename to b\n');
    expect(new Set(moved.map(({ kind }) => kind))).toEqual(new Set(['note']));
    expect(parsePatch('Binary files a/x and b/x differ\n')[0]?.kind).toBe('note');
  });

  it('keeps a removed line that begins with dashes', () => {
    expect(parsePatch('@@ -1 +0,0 @@\n--- a comment\n')[1]).toMatchObject({
      kind: 'removed',
      text: '-- a comment',
    });
  });

  it('says that a file has no newline at its end', () => {
    expect(parsePatch('@@ -1 +1 @@\n+a\n\\ No newline at end of file').at(-1)).toMatchObject({
      kind: 'note',
      text: 'No newline at end of file',
    });
  });

  it('that was cut before its first hunk still shows what it has', () => {
    expect(parsePatch('+a\n b')).toEqual([
      { kind: 'added', text: 'a', before: null, after: null },
      { kind: 'context', text: 'b', before: null, after: null },
    ]);
  });
});

describe('an edit by its two texts', () => {
  it('removes the old and adds the new', () => {
    expect(patchOfEdit('a\nb', 'c')).toBe('-a\n-b\n+c');
    expect(patchOfEdit('', 'new')).toBe('+new');
  });
});
