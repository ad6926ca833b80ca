import type { SgNode } from '@ast-grep/napi';
import { excerptOf } from '../finding.ts';
import type { ImportKind } from '../rules/schema.ts';
import { faultsOf, parseTree } from './ast.ts';
import type { ModuleRef, ParsedModule } from './types.ts';

const IMPORTS = {
  rule: { any: [{ kind: 'import_statement' }, { kind: 'import_from_statement' }] },
};
const DYNAMIC = /\b(?:import_module|__import__)\b/;
const LITERAL = /^[rRuU]?(?:"""|'''|"|')(.*?)(?:"""|'''|"|')$/s;

/**
 * Every mention of a module in a Python file. `from a import b` is written `a:b`, because `b` can
 * be a module or a name inside `a`; which one is known only beside the other files.
 */
export function parsePython(text: string): ParsedModule {
  const root = parseTree('python', text);
  const faults = faultsOf(root);
  if (faults.length > 0) return { refs: [], faults };
  const refs: ModuleRef[] = [];
  const add = (kind: ImportKind, specifier: string | null, node: SgNode): void => {
    const { line, column } = node.range().start;
    const first = node.text().split('\n')[0] ?? '';
    refs.push({ kind, specifier, line: line + 1, column: column + 1, excerpt: excerptOf(first) });
  };
  for (const node of root.findAll(IMPORTS)) {
    const names = node.fieldChildren('name').map(nameOf);
    if (node.is('import_statement')) for (const name of names) add('static', name, node);
    else {
      const from = node.field('module_name')?.text().replaceAll(/\s/g, '') ?? '';
      const all = node.children().some((child) => child.is('wildcard_import'));
      for (const name of all ? ['*'] : names) add('static', `${from}:${name}`, node);
    }
  }
  if (DYNAMIC.test(text)) {
    for (const node of root.findAll({ rule: { kind: 'call' } })) {
      const callee = node.field('function')?.text() ?? '';
      if (!/(^|\.)(import_module|__import__)$/.test(callee)) continue;
      const [argument] = node.field('arguments')?.namedChildren() ?? [];
      const literal = argument?.is('string') ? LITERAL.exec(argument.text())?.[1] : undefined;
      add('dynamic', literal ?? null, node);
    }
  }
  return { refs, faults: [] };
}

/** The module that `a.b as c` names. */
function nameOf(node: SgNode): string {
  const name = node.is('aliased_import') ? node.field('name') : node;
  return (name ?? node).text().replaceAll(/\s/g, '');
}
