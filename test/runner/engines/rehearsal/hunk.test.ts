import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hunkOf, type Hunk } from '../../../../runner/engines/rehearsal/hunk.ts';

const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const change = (edit: (lines: string[]) => void): Hunk[] => {
  const lines = [...before];
  edit(lines);
  return hunkOf(before.join('\n'), lines.join('\n'));
};

/** Applies a hunk the way `patch` does, taking its numbers at their word. */
function apply(text: string, [hunk]: Hunk[]): string {
  if (!hunk) return text;
  const lines = text.split('\n');
  const kept = hunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  lines.splice(hunk.oldStart - 1, hunk.oldLines, ...kept);
  return lines.join('\n');
}

describe('the hunk of an edit', () => {
  test('has three lines around the change', () => {
    const [hunk] = change((lines) => lines.splice(5, 1, 'changed'));
    expect(hunk).toEqual({
      oldStart: 3,
      oldLines: 7,
      newStart: 3,
      newLines: 7,
      lines: [
        ' line 3',
        ' line 4',
        ' line 5',
        '-line 6',
        '+changed',
        ' line 7',
        ' line 8',
        ' line 9',
      ],
    });
  });

  test('at the beginning has none before it', () => {
    const [hunk] = change((lines) => lines.splice(0, 1, 'changed'));
    expect(hunk).toMatchObject({ oldStart: 1, oldLines: 4 });
    expect(hunk?.lines[0]).toBe('-line 1');
  });

  test('at the end has none after it', () => {
    const [hunk] = change((lines) => lines.push('more'));
    expect(hunk?.lines.at(-1)).toBe('+more');
  });

  test('that only removes has nothing new', () => {
    const [hunk] = change((lines) => lines.splice(5, 2));
    expect(hunk?.lines.filter((line) => line.startsWith('+'))).toEqual([]);
    expect(hunk?.newLines).toBe((hunk?.oldLines ?? 0) - 2);
  });

  test('of two places is one hunk over both', () => {
    const hunks = change((lines) => {
      lines[1] = 'one';
      lines[9] = 'two';
    });
    expect(hunks).toHaveLength(1);
    expect(hunks[0]?.lines.filter((line) => line.startsWith('+'))).toHaveLength(9);
  });

  test('of nothing is none', () => {
    expect(hunkOf('same', 'same')).toEqual([]);
  });

  test('applied to the old text always gives the new one, and its numbers are true', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (old, now) => {
        const hunks = hunkOf(old, now);
        expect(apply(old, hunks)).toBe(now);
        for (const hunk of hunks) {
          const count = (signs: string) =>
            hunk.lines.filter((line) => signs.includes(line.charAt(0))).length;
          expect([hunk.oldLines, hunk.newLines]).toEqual([count(' -'), count(' +')]);
        }
      }),
    );
  });
});
