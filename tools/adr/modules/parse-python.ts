import type { SgNode } from '@ast-grep/napi';
import { excerptOf } from '../finding.ts';
import type { ImportKind } from '../rules/schema.ts';
import { findKinds, parseTree } from './ast.ts';
import { FILE } from './resolve-python.ts';
import type { ModuleRef, ParsedModule } from './types.ts';

const IMPORTS = ['import_statement', 'import_from_statement'];
/** Functions that load a module: which argument says it, and whether by its name or its file. */
const LOADERS: Readonly<Record<string, { at: number; by: 'name' | 'file' }>> = {
  import_module: { at: 0, by: 'name' },
  __import__: { at: 0, by: 'name' },
  find_spec: { at: 0, by: 'name' },
  resolve_name: { at: 0, by: 'name' },
  importorskip: { at: 0, by: 'name' },
  run_module: { at: 0, by: 'name' },
  run_path: { at: 0, by: 'file' },
  load_source: { at: 1, by: 'file' },
  SourceFileLoader: { at: 1, by: 'file' },
  spec_from_file_location: { at: 1, by: 'file' },
};
const DYNAMIC = new RegExp(`\\b(?:${Object.keys(LOADERS).join('|')})\\b`);
const DYNAMIC_NAME = `^(${Object.keys(LOADERS).join('|')})$`;
const LITERAL = /^[rRuU]?(?:"""|'''|"|')(.*?)(?:"""|'''|"|')$/s;

/**
 * Every mention of a module in a Python file. `from a import b` is written `a:b`, because `b` can
 * be a module or a name inside `a`; which one is known only beside the other files.
 */
export function parsePython(text: string): ParsedModule {
  const root = parseTree('python', text);
  const { nodes, faults } = findKinds(root, IMPORTS);
  if (faults.length > 0) return { refs: [], faults };
  const refs: ModuleRef[] = [];
  const add = (kind: ImportKind, specifier: string | null, node: SgNode): void => {
    const { line, column } = node.range().start;
    const first = node.text().split('\n')[0] ?? '';
    refs.push({ kind, specifier, line: line + 1, column: column + 1, excerpt: excerptOf(first) });
  };
  for (const node of nodes) {
    const names = node.fieldChildren('name').map(nameOf);
    if (node.is('import_statement')) for (const name of names) add('static', name, node);
    else {
      const from = dotted(node.field('module_name'));
      const all = node.children().some((child) => child.is('wildcard_import'));
      for (const name of all ? ['*'] : names) add('static', `${from}:${name}`, node);
    }
  }
  if (DYNAMIC.test(text)) {
    for (const node of root.findAll(DYNAMIC_NAMES)) {
      const call = callOf(node);
      if (call) add('dynamic', argumentOf(call, node.text()), call);
      else if (!isPlainImport(node)) add('dynamic', null, node);
    }
  }
  return { refs, faults: [] };
}

/** Every mention of the functions that import, and texts that hold their names. */
const DYNAMIC_NAMES = {
  rule: {
    any: [
      { kind: 'identifier', regex: DYNAMIC_NAME },
      { kind: 'string_content', regex: DYNAMIC_NAME },
    ],
  },
};

/** The call of which a name is the function, as in `importlib.import_module('a')`. */
function callOf(name: SgNode): SgNode | null {
  const above = name.parent();
  const callee = above?.is('attribute') ? above : name;
  const call = callee.parent();
  return call?.is('call') && call.field('function')?.id() === callee.id() ? call : null;
}

/** `from importlib import import_module`, after which it is called by its own name. */
function isPlainImport(name: SgNode): boolean {
  const above = name.parent();
  return above?.is('dotted_name') === true && above.parent()?.is('import_from_statement') === true;
}

/** The module that a call names, or null: it is computed, escaped, or relative to another package. */
function argumentOf(call: SgNode, name: string): string | null {
  const { at, by } = LOADERS[name] ?? { at: 0, by: 'name' };
  const given = call.field('arguments')?.namedChildren() ?? [];
  const argument = given[at];
  // `__import__('a', fromlist=['b'])` loads the module `b` too, if `a` has one.
  if (name === '__import__' && given.length > 1) return null;
  const literal = argument?.is('string') ? LITERAL.exec(argument.text())?.[1] : undefined;
  if (literal === undefined || literal.includes('\\')) return null;
  if (by === 'file') return `${FILE}${literal}`;
  return literal.startsWith('.') ? null : literal;
}

/** A dotted name as Python reads it: without line breaks, in the form that its letters stand for. */
const dotted = (node: SgNode | null): string =>
  (node?.text() ?? '').replaceAll(/\\\r?\n|\s/g, '').normalize('NFKC');

/** The module that `a.b as c` names. */
function nameOf(node: SgNode): string {
  const name = node.is('aliased_import') ? node.field('name') : node;
  return dotted(name ?? node);
}
