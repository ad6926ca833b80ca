import { excerptOf } from '../finding.ts';

export type Position = { line: number; column: number; excerpt: string };

/** Finds the line and column of an offset, both from 1, with the line's text. */
export function positionsOf(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    const end = starts[low + 1] ?? text.length + 1;
    return {
      line: low + 1,
      column: offset - start + 1,
      excerpt: excerptOf(text.slice(start, end - 1)),
    };
  };
}
