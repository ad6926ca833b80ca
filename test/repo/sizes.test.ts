import { describe, expect, it } from 'vitest';
import {
  HARD_CAP_LINES,
  MEDIAN_LINES,
  P90_LINES,
  countLines,
  measureComments,
  measureSizes,
} from './sizes.ts';
import { isTest, listCode } from './source-files.ts';

const all = listCode();
/** The console's stand-in server serves tests and the gallery; it is no part of the product. */
const serves = (path: string): boolean => isTest(path) || path.startsWith('console/mock/');
const source = all.filter((file) => !serves(file.path));
const tests = all.filter((file) => serves(file.path));
const typescript = source.filter((file) => /\.tsx?$/.test(file.path));

describe('files', () => {
  const report = measureSizes(all);

  it(`are never longer than ${HARD_CAP_LINES} lines`, () => {
    console.log(
      `sizes: examined ${report.files} files, median ${report.median}, p90 ${report.p90}`,
    );
    expect(report.files).toBeGreaterThan(50);
    expect(report.tooLong).toEqual([]);
  });

  it('are short by habit', () => {
    expect(report.median).toBeLessThanOrEqual(MEDIAN_LINES);
    expect(report.p90).toBeLessThanOrEqual(P90_LINES);
  });

  it('that are too long are found', () => {
    const long = { path: 'runner/a.ts', text: 'x;\n'.repeat(HARD_CAP_LINES + 1) };
    expect(measureSizes([long]).tooLong).toEqual(['runner/a.ts: 401 lines']);
  });
});

describe('tests', () => {
  it('have at least as many lines as what they test', () => {
    const count = (files: typeof all) =>
      files.reduce((sum, file) => sum + countLines(file.text), 0);
    console.log(
      `test lines: ${count(tests)} in ${tests.length} files, source lines: ${count(source)} in ${source.length}`,
    );
    expect(source.length).toBeGreaterThan(20);
    expect(count(tests)).toBeGreaterThanOrEqual(count(source));
  });
});

describe('comments', () => {
  it('are between 8 and 15 lines of a hundred', () => {
    const report = measureComments(typescript);
    console.log(
      `comments: ${report.comments} of ${report.lines} lines in ${typescript.length} files`,
    );
    expect(report.lines).toBeGreaterThan(1000);
    expect(report.share).toBeGreaterThanOrEqual(0.08);
    expect(report.share).toBeLessThanOrEqual(0.15);
  });

  it('are counted by line, blocks included', () => {
    const text = '/**\n * why\n */\nconst a = 1; // not a line of its own\n// why\n\n';
    expect(measureComments([{ path: 'a.ts', text }])).toMatchObject({ lines: 5, comments: 4 });
  });
});
