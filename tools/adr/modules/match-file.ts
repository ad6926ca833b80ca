import { excerptOf } from '../finding.ts';
import { messageOf } from '../failure.ts';
import { faultsOf, findAnyOrSuspect, grammarOf } from './ast.ts';
import { findText } from './match-text.ts';
import { blanked, escapedNames, faultsOfPattern, withoutComments } from './plain-code.ts';
import type { Source } from './source.ts';
import type { ParseFault } from './types.ts';

/** What is looked for in a file: patterns of code, one rule of ast-grep, or an expression over lines. */
export type CodeQuery = {
  patterns?: string[] | undefined;
  match?: Record<string, unknown> | undefined;
  contains?: string[] | undefined;
  text?: string | undefined;
};

/** Languages in which a letter of a name can be written as an escape, and a comment between any two words. */
const ESCAPING = /\.[cm]?[jt]sx?$/;

export type CodeMatch = { line: number; column: number; excerpt: string };
export type FileMatches = { path: string; matches: CodeMatch[]; faults: ParseFault[] };

/** The part of a query that a file's text leaves open, so that it has to be parsed. */
type Search = {
  grammar: string;
  patterns: string[];
  match: CodeQuery['match'];
  escaped: boolean;
  /** Whether comments can be taken out before it is parsed. */
  plain: boolean;
};

/** A search that has begun: the words of a file are compared, and its code is still to be parsed. */
export type OpenSearch = {
  wantsComments: boolean;
  /** For each query where it matches, or what kept it from being looked for; null for nothing. */
  finish(): (FileMatches | null)[];
};

/**
 * Looks for queries in one file. A file that holds none of the words that every match must hold is
 * not parsed: it cannot match, whether it parses or not.
 */
export function beginSearch(source: Source, queries: readonly CodeQuery[]): OpenSearch {
  const begun = queries.map((query) => answerOf(source, () => narrow(source, query)));
  const plain = begun.filter(isSearch).filter((one) => one.plain);
  return {
    wantsComments: plain.length > 0,
    finish: () => {
      const clean = plain.length > 0 && areClean(source, plain);
      return begun.map((one) => {
        if (!isSearch(one)) return one;
        return clean && one.plain ? null : answerOf(source, () => matchesOf(source, one));
      });
    },
  };
}

const isSearch = (value: Search | FileMatches | null): value is Search =>
  value !== null && 'grammar' in value;

/** What a look gives, or what kept it from looking. */
function answerOf<Value>(source: Source, look: () => Value): Value | FileMatches {
  try {
    return look();
  } catch (error) {
    return { path: source.path, matches: [], faults: [{ line: 1, message: messageOf(error) }] };
  }
}

function narrow(source: Source, query: CodeQuery): Search | FileMatches | null {
  const { path, name } = source;
  if (query.text !== undefined) {
    const matches = findText(source.text(), query.text);
    return matches.length > 0 ? { path, matches, faults: [] } : null;
  }
  const grammar = grammarOf(name);
  if (grammar === null) {
    throw new Error('no parser here reads this kind of file; look for `text` in it instead');
  }
  const text = source.text();
  // An escape can hide a word of the pattern; the tree tells whether it stands in a name.
  const escaped = ESCAPING.test(name) && text.includes('\\u');
  if (!escaped && query.contains && !query.contains.some((word) => text.includes(word)))
    return null;
  const patterns = (query.patterns ?? []).filter(
    (pattern) => escaped || wordsOf(pattern).every((word) => text.includes(word)),
  );
  const { match } = query;
  if (patterns.length === 0 && !match) return null;
  const asksForComments = patterns.some((pattern) => /\/[/*]/.test(pattern));
  const plain = !match && !asksForComments && ESCAPING.test(name);
  return { grammar, patterns, match, escaped, plain };
}

/** The text of a script with its comments blanked; null where they are not known beforehand. */
function plainText(source: Source): string | null {
  const comments = source.comments();
  return comments && blanked(source.text(), comments);
}

/** Whether none of several searches finds anything, nor a fault, which one walk of a tree tells. */
function areClean(source: Source, searches: readonly Search[]): boolean {
  try {
    const plain = plainText(source);
    const grammar = searches[0]?.grammar ?? '';
    const patterns = searches.flatMap((one) => one.patterns);
    const isDoubtful =
      searches.some((one) => one.escaped) ||
      patterns.some((pattern) => faultsOfPattern(grammar, pattern).length > 0);
    if (plain === null || isDoubtful) return false;
    return findAnyOrSuspect(source.tree(grammar, plain), patterns) === null;
  } catch {
    // Whatever it is, each search comes upon it again and tells it.
    return false;
  }
}

function matchesOf(source: Source, search: Search): FileMatches | null {
  const { path } = source;
  const { grammar, patterns, match, escaped } = search;
  const text = source.text();
  const plain = search.plain ? plainText(source) : null;
  const tree = source.tree(grammar, plain ?? text);
  const faults = [
    ...patterns.flatMap((pattern) => faultsOfPattern(grammar, pattern)),
    ...faultsOf(tree),
    ...(escaped ? escapedNames(tree) : []),
  ];
  if (faults.length > 0) return { path, matches: [], faults };
  const rules = [
    ...patterns.map((pattern) => ({ pattern: patternIn(grammar, pattern) })),
    ...(match ? [match] : []),
  ];
  const lines = text.split('\n');
  const bare = plain ?? withoutComments(tree, text);
  const trees = plain !== null || bare === text ? [tree] : [tree, source.tree(grammar, bare)];
  const matches = trees
    .flatMap((one) => rules.flatMap((rule) => one.findAll({ rule })))
    .map((node) => {
      const { line, column } = node.range().start;
      return { line: line + 1, column: column + 1, excerpt: excerptOf(lines[line] ?? '') };
    });
  const places = new Map(matches.map((one) => [`${one.line}:${one.column}`, one]));
  return places.size > 0 ? { path, matches: [...places.values()], faults: [] } : null;
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
