import type { SourceFile } from './source-files.ts';

export const HARD_CAP_LINES = 400;
export const MEDIAN_LINES = 90;
export const P90_LINES = 250;

export const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;

/** The value below which the share `p` of the numbers lies, by nearest rank. */
export function percentile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? 0;
}

export type SizeReport = { files: number; median: number; p90: number; tooLong: string[] };

export function measureSizes(files: readonly SourceFile[]): SizeReport {
  const sized = files.map((file) => ({ path: file.path, lines: countLines(file.text) }));
  const lines = sized.map((file) => file.lines);
  return {
    files: files.length,
    median: percentile(lines, 0.5),
    p90: percentile(lines, 0.9),
    tooLong: sized
      .filter((file) => file.lines > HARD_CAP_LINES)
      .map((file) => `${file.path}: ${file.lines} lines`),
  };
}

export type CommentReport = { lines: number; comments: number; share: number };

/** The share of lines that are only comment, of the lines that are not empty. */
export function measureComments(files: readonly SourceFile[]): CommentReport {
  let lines = 0;
  let comments = 0;
  for (const file of files) {
    let inBlock = false;
    for (const raw of file.text.split('\n')) {
      const line = raw.trim();
      if (line === '') continue;
      lines++;
      const opens = line.startsWith('/*');
      if (inBlock || opens || line.startsWith('//')) comments++;
      if (opens || inBlock) inBlock = !line.includes('*/');
    }
  }
  return { lines, comments, share: lines === 0 ? 0 : comments / lines };
}
