import type { SourceFile } from './source-files.ts';

export type Finding = { path: string; line: number; text: string };

function findLines(files: readonly SourceFile[], matches: (line: string) => boolean): Finding[] {
  return files.flatMap((file) =>
    file.text
      .split('\n')
      .flatMap((text, index) =>
        matches(text) ? [{ path: file.path, line: index + 1, text: text.trim() }] : [],
      ),
  );
}

/** A lint rule switched off without a word why. The reason follows two dashes. */
export const findBareDisables = (files: readonly SourceFile[]): Finding[] =>
  findLines(
    files,
    (line) => /(oxlint|eslint)-disable/.test(line) && !/-disable[^\n]*--\s*\S+/.test(line),
  );

const MARKERS = new RegExp(
  `\\b(${[['TO', 'DO'].join(''), ['FIX', 'ME'].join(''), ['XX', 'X'].join(''), ['HA', 'CK'].join('')].join('|')})\\b`,
);
export const findMarkers = (files: readonly SourceFile[]): Finding[] =>
  findLines(files, (line) => MARKERS.test(line));

export const findSkippedTests = (files: readonly SourceFile[]): Finding[] =>
  findLines(files, (line) => /\b(it|test|describe)\.(skip|only|todo)\b/.test(line));

/** Absolute paths that only one machine has, and addresses that a lockfile should not pin. */
const MACHINE_PATH = new RegExp(
  `(^|[^\\w.~$}>/-]|file://)/(${[['wo', 'rk'].join(''), ['ro', 'ot'].join('')].join('|')})/`,
);
export const findMachinePaths = (files: readonly SourceFile[]): Finding[] =>
  findLines(
    files,
    (line) =>
      MACHINE_PATH.test(line) ||
      /"resolved": "https?:/.test(line) ||
      /^\s*(@[\w-]+:)?registry\s*=/.test(line),
  );

/**
 * Fences of a page that do not begin their line, that are never closed, or that a second one opens
 * inside: whoever reads the page sees a command run on as prose, or prose as a command.
 */
export const findBrokenFences = (pages: readonly SourceFile[]): Finding[] =>
  pages.flatMap(({ path, text }) => {
    const found: Finding[] = [];
    let open: Finding | null = null;
    for (const [index, line] of text.split('\n').entries()) {
      if (!line.includes('```')) continue;
      const here = { path, line: index + 1, text: line.trim() };
      const [, info] = /^\s*`{3,}([^`]*)$/.exec(line) ?? [];
      if (info === undefined || (open && info.trim() !== '')) found.push(here);
      else open = open ? null : here;
    }
    return open ? [...found, open] : found;
  });
