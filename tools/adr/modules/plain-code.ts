import type { SgNode } from '@ast-grep/napi';
import { faultsOf, parseTree } from './ast.ts';
import type { ParseFault } from './types.ts';

/** Names with an escape in them: a pattern compares letters as they are written. */
export function escapedNames(root: SgNode): ParseFault[] {
  return root
    .findAll({ rule: { kind: 'identifier', regex: '\\\\u' } })
    .concat(root.findAll({ rule: { kind: 'property_identifier', regex: '\\\\u' } }))
    .map((node) => ({
      line: node.range().start.line + 1,
      message: `the name \`${node.text()}\` is written with an escape; write its letters`,
    }));
}

/** Nodes in which a comment stands between things, and not inside of one that a pattern means. */
const APART =
  /^(program|statement_block|class_body|switch_body|interface_body|object_type|enum_body|module|block|source_file)$/;

/**
 * The text without comments that stand inside of an expression, such as `eval /* now *\/ (…)`, every
 * other character at its place. The same text when there are none.
 */
export function withoutComments(root: SgNode, text: string): string {
  const inside = root
    .findAll({ rule: { kind: 'comment' } })
    .filter((node) => !APART.test(String(node.parent()?.kind() ?? 'program')))
    .map((node) => node.range());
  const places = inside.map(({ start, end }) => ({ start: start.index, end: end.index }));
  return blanked(text, places);
}

/** A text with spaces in place of some of it, line breaks kept. Places are in order. */
export function blanked(text: string, places: readonly { start: number; end: number }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of places) {
    parts.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\r\n]/g, ' '));
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

const known = new Map<string, ParseFault[]>();

/** What is wrong with a pattern: one that is no code matches nothing, whatever stands in a file. */
export function faultsOfPattern(grammar: string, pattern: string): ParseFault[] {
  // A pattern of Go stands inside of a function, which it is not known to need beforehand.
  if (grammar === 'go') return [];
  const key = `${grammar}\0${pattern}`;
  const before = known.get(key);
  if (before) return before;
  // A letter stands for the sign of variables, where the language does not allow it in names.
  const code = grammar === 'python' ? pattern.replaceAll('$', 'µ') : pattern;
  const faults = faultsOf(parseTree(grammar, code))
    .slice(0, 1)
    .map(({ message }) => ({
      line: 1,
      message: `the pattern \`${pattern}\` is no code of this language: ${message}`,
    }));
  known.set(key, faults);
  return faults;
}
