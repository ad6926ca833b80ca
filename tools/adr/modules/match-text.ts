import { excerptOf } from '../finding.ts';

export type LineMatch = { line: number; column: number; excerpt: string };

/** The lines of a text in which a regular expression matches. Throws when it is none. */
export function findText(text: string, source: string): LineMatch[] {
  const pattern = new RegExp(source, 'u');
  return text.split(/\r?\n/).flatMap((line, index) => {
    const match = pattern.exec(line);
    if (!match) return [];
    return [{ line: index + 1, column: match.index + 1, excerpt: excerptOf(line) }];
  });
}
