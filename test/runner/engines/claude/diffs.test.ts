import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileDiff } from '../../../../protocol/engine-event.ts';
import { EVENT_TEXT_MAX_BYTES } from '../../../../protocol/text.ts';
import { parseFileDiffs } from '../../../../runner/engines/claude/diffs.ts';

const hunk = (lines: string[], over: Record<string, unknown> = {}) => ({
  oldStart: 1,
  oldLines: 1,
  newStart: 1,
  newLines: 1,
  lines,
  ...over,
});
const edited = (...hunks: unknown[]) => ({
  filePath: '/r/a',
  originalFile: 'old',
  structuredPatch: hunks,
});
const created = (content: string) => ({
  type: 'create',
  filePath: '/r/new',
  content,
  originalFile: null,
  structuredPatch: [],
});

describe('an edited file', () => {
  test('counts the lines that came and went, and not those around them', () => {
    const [diff] = parseFileDiffs(edited(hunk([' a', '-b', '-c', '+d', ' e'])));
    expect(diff).toMatchObject({ change: 'edited', additions: 1, deletions: 2 });
  });

  test('keeps its hunks apart, each at its place', () => {
    const [diff] = parseFileDiffs(
      edited(hunk(['-a', '+b']), hunk(['+c'], { oldStart: 9, oldLines: 0, newStart: 9 })),
    );
    expect(diff?.patch.text).toBe('@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,0 +9,1 @@\n+c');
  });

  test('counts a line that begins with a sign of its own once', () => {
    const [diff] = parseFileDiffs(edited(hunk(['---old', '+++new', ' +not', ' -not'])));
    expect(diff).toMatchObject({ additions: 1, deletions: 1 });
  });

  test('without a change is no diff', () => {
    expect(parseFileDiffs(edited())).toEqual([]);
  });

  test('with a huge change is cut, and its counts are of the whole', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `+line number ${index}`);
    const [diff] = parseFileDiffs(edited(hunk(lines)));
    expect(diff?.additions).toBe(5_000);
    expect(diff?.patch.truncated?.bytes).toBeGreaterThan(EVENT_TEXT_MAX_BYTES);
  });
});

describe('a created file', () => {
  test.each([
    ['one\n', 1, '@@ -0,0 +1,1 @@\n+one'],
    ['one\ntwo\n', 2, '@@ -0,0 +1,2 @@\n+one\n+two'],
    ['one', 1, '@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file'],
    ['\n', 1, '@@ -0,0 +1,1 @@\n+'],
    ['one\n\n', 2, '@@ -0,0 +1,2 @@\n+one\n+'],
    ['', 0, ''],
  ])('with %j is a diff of %d lines', (content, additions, patch) => {
    expect(parseFileDiffs(created(content))).toEqual([
      {
        path: '/r/new',
        change: 'created',
        patch: { text: patch, truncated: null },
        additions,
        deletions: 0,
      },
    ]);
  });

  test('is known by its having had no content, as older versions say it', () => {
    const { type: _left, ...untyped } = created('x\n');
    expect(parseFileDiffs(untyped)).toMatchObject([{ change: 'created' }]);
  });
});

describe('a result that tells of no file', () => {
  test.each([
    ['output of a command', { stdout: 'x', stderr: '' }],
    ['words', 'Error: no'],
    ['nothing', undefined],
    ['null', null],
    ['a file that was read', { type: 'text', file: { filePath: '/r/a', content: 'x' } }],
    ['hunks that are none', { filePath: '/r/a', structuredPatch: 'all of it' }],
    ['a hunk without lines', edited({ oldStart: 1 })],
    ['a path that is none', { ...edited(hunk(['+a'])), filePath: 4 }],
  ])('(%s) has no diff', (_what, result) => {
    expect(parseFileDiffs(result)).toEqual([]);
  });

  test('never makes a diff that the protocol refuses', () => {
    const line = fc.string();
    const shape = fc.record(
      {
        type: fc.constantFrom('create', 'update'),
        filePath: fc.string(),
        content: fc.string(),
        originalFile: fc.option(fc.string()),
        structuredPatch: fc.array(
          fc.record({
            oldStart: fc.nat(),
            oldLines: fc.nat(),
            newStart: fc.nat(),
            newLines: fc.nat(),
            lines: fc.array(line),
          }),
        ),
      },
      { requiredKeys: ['filePath', 'structuredPatch'] },
    );
    fc.assert(
      fc.property(fc.oneof(shape, fc.anything()), (result) => {
        for (const diff of parseFileDiffs(result)) expect(fileDiff.parse(diff)).toEqual(diff);
      }),
    );
  });
});
