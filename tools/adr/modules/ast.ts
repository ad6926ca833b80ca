import go from '@ast-grep/lang-go';
import python from '@ast-grep/lang-python';
import { Lang, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import { languageOf } from './languages.ts';
import type { ParseFault } from './types.ts';

let registered = false;

/** Python and Go come as grammars of their own; registering is once for a process. */
function register(): void {
  if (registered) return;
  registerDynamicLanguage({ python, go });
  registered = true;
}

/** The name by which ast-grep knows the language of a file; null without a parser for it. */
export function grammarOf(path: string): string | null {
  const language = languageOf(path);
  switch (language) {
    case 'js':
      return Lang.JavaScript;
    case 'ts':
      return path.endsWith('.tsx') ? Lang.Tsx : Lang.TypeScript;
    case 'python':
      return 'python';
    case 'go':
      return 'go';
    case null:
      if (path.endsWith('.css')) return Lang.Css;
      return path.endsWith('.html') ? Lang.Html : null;
    default:
      return language satisfies never;
  }
}

/** Nodes that may be empty in a file without a fault. */
const MAY_BE_EMPTY = /^$|_content$|^(module|source_file|program|block|stylesheet|document)$/;

/** Parses with tree-sitter. Throws when the grammar is unknown or cannot be loaded. */
export function parseTree(grammar: string, text: string): SgNode {
  if (grammar === 'python' || grammar === 'go') register();
  return parse(grammar, text).root();
}

/** Nodes at which a tree may have what its grammar does not know; to be asked for with others. */
const SUSPECT = [{ kind: 'ERROR' }, { regex: '^$' }];

/**
 * Where a tree has what its grammar does not know. Tree-sitter always returns a tree; it marks
 * what it skipped (`ERROR`) and puts in what it missed, as nodes without text.
 */
export function faultsOf(root: SgNode): ParseFault[] {
  return faultsAmong(root.findAll({ rule: { any: SUSPECT } }));
}

/** The first node that matches one of the patterns or may be a fault; null when there is neither. */
export function findAnyOrSuspect(root: SgNode, patterns: readonly string[]): SgNode | null {
  return root.find({ rule: { any: [...patterns.map((pattern) => ({ pattern })), ...SUSPECT] } });
}

/** Nodes of these kinds, and the faults of the tree, in one walk of it. */
export function findKinds(
  root: SgNode,
  kinds: readonly string[],
): { nodes: SgNode[]; faults: ParseFault[] } {
  const rule = { any: [...kinds.map((kind) => ({ kind })), ...SUSPECT] };
  const all = root.findAll({ rule });
  const nodes = all.filter((node) => kinds.includes(String(node.kind())));
  return { nodes, faults: faultsAmong(all.filter((node) => !nodes.includes(node))) };
}

function faultsAmong(nodes: readonly SgNode[]): ParseFault[] {
  return nodes
    .filter(
      (node) => node.is('ERROR') || (node.isLeaf() && !MAY_BE_EMPTY.test(String(node.kind()))),
    )
    .map((node) => ({
      line: node.range().start.line + 1,
      message: node.is('ERROR')
        ? `unexpected \`${node.text().slice(0, 40)}\``
        : `\`${String(node.kind())}\` is missing`,
    }));
}
