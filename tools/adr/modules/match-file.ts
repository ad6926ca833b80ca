import { join } from 'node:path';
import { excerptOf } from '../finding.ts';
import { messageOf } from '../failure.ts';
import { readUtf8 } from '../tree/read-utf8.ts';
import { faultsOf, grammarOf, parseTree } from './ast.ts';
import { readComments } from './parse-js.ts';
import { codeName } from './scripts.ts';
import { blanked, escapedNames, faultsOfPattern, withoutComments } from './plain-code.ts';
import type { ParseFault } from './types.ts';

/** What is looked for in a file's code: patterns or one rule of ast-grep. */
export type CodeQuery = {
  patterns?: string[] | undefined;
  match?: Record<string, unknown> | undefined;
  contains?: string[] | undefined;
};

/** Languages in which a letter of a name can be written as an escape, and a comment between any two words. */
const ESCAPING = /\.[cm]?[jt]sx?$/;

export type CodeMatch = { line: number; column: number; excerpt: string };
export type FileMatches = { path: string; matches: CodeMatch[]; faults: ParseFault[] };

/**
 * Finds the places in one file whose code matches. A file that holds none of the words that every
 * match must hold is not parsed: it cannot match, whether it parses or not.
 */
export function matchFile(root: string, path: string, query: CodeQuery): FileMatches {
  try {
    const name = codeName(root, path);
    const grammar = grammarOf(name);
    if (grammar === null) {
      const message = 'no parser here reads this kind of file; look for `text` in it instead';
      return { path, matches: [], faults: [{ line: 1, message }] };
    }
    const text = readUtf8(join(root, path));
    // An escape can hide a word of the pattern; the tree tells whether it stands in a name.
    const escaped = ESCAPING.test(name) && text.includes('\\u');
    if (!escaped && query.contains && !query.contains.some((word) => text.includes(word))) {
      return { path, matches: [], faults: [] };
    }
    const patterns = (query.patterns ?? []).filter(
      (pattern) => escaped || wordsOf(pattern).every((word) => text.includes(word)),
    );
    if (patterns.length === 0 && !query.match) return { path, matches: [], faults: [] };
    const plain = query.match ? null : plainScript(name, text, patterns);
    const tree = parseTree(grammar, plain ?? text);
    const faults = [
      ...patterns.flatMap((pattern) => faultsOfPattern(grammar, pattern)),
      ...faultsOf(tree),
      ...(escaped ? escapedNames(tree) : []),
    ];
    if (faults.length > 0) return { path, matches: [], faults };
    const rules = [
      ...patterns.map((pattern) => ({ pattern: patternIn(grammar, pattern) })),
      ...(query.match ? [query.match] : []),
    ];
    const lines = text.split('\n');
    const bare = plain ?? withoutComments(tree, text);
    const trees = plain !== null || bare === text ? [tree] : [tree, parseTree(grammar, bare)];
    const matches = trees
      .flatMap((one) => rules.flatMap((rule) => one.findAll({ rule })))
      .map((node) => {
        const { line, column } = node.range().start;
        return { line: line + 1, column: column + 1, excerpt: excerptOf(lines[line] ?? '') };
      });
    const places = new Map(matches.map((match) => [`${match.line}:${match.column}`, match]));
    return { path, matches: [...places.values()], faults: [] };
  } catch (error) {
    return { path, matches: [], faults: [{ line: 1, message: messageOf(error) }] };
  }
}

/**
 * A script with its comments blanked before it is parsed, so that it is parsed once; null where
 * they are not known beforehand, or a pattern asks for one.
 */
function plainScript(path: string, text: string, patterns: readonly string[]): string | null {
  const asked = patterns.some((pattern) => /\/[/*]/.test(pattern));
  const comments = ESCAPING.test(path) && !asked ? readComments(path, text) : null;
  return comments && blanked(text, comments);
}

/**
 * A pattern as its grammar needs it. A call alone is no Go file, and is taken for a conversion of a
 * type; inside of a function it is what it looks like.
 */
function patternIn(grammar: string, pattern: string) {
  const isCall = /^[\w.$]+\(.*\)$/s.test(pattern);
  return grammar === 'go' && isCall
    ? { context: `package p\nfunc f() { ${pattern} }`, selector: 'call_expression' }
    : pattern;
}

/** The names in a pattern that stand in every match: all words but its variables (`$A`, `$$$`). */
function wordsOf(pattern: string): string[] {
  const written = pattern.replaceAll(/\$+[A-Z_0-9]*/g, ' ');
  return written.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
}
