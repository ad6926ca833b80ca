import { excerptOf } from '../finding.ts';
import { findKinds, parseTree } from './ast.ts';
import { positionsOf } from './positions.ts';
import type { ParsedModule } from './types.ts';

/** `//go:linkname local example.com/shop/internal/db.open`: a function of another package, unimported. */
const LINKED = /^\/\/go:linkname\s+\S+\s+(\S+)\.[^./\s]+\s*$/gm;

/** Every import of a Go file. Go has no import that is computed at run time. */
export function parseGo(text: string): ParsedModule {
  const root = parseTree('go', text);
  const { nodes, faults } = findKinds(root, ['import_spec']);
  if (faults.length > 0) return { refs: [], faults };
  const refs = nodes.map((node) => {
    const { line, column } = node.range().start;
    const quoted = node.field('path')?.text() ?? '';
    return {
      kind: 'static' as const,
      // What an escape stands for is not looked up: nobody writes one in a path by accident.
      specifier: /^".*\\/.test(quoted) ? null : quoted.slice(1, -1),
      line: line + 1,
      column: column + 1,
      excerpt: excerptOf(node.text()),
    };
  });
  const at = positionsOf(text);
  const linked = [...text.matchAll(LINKED)].map(({ 1: specifier = '', index }) => ({
    kind: 'static' as const,
    specifier,
    ...at(index),
  }));
  return { refs: [...refs, ...linked], faults: [] };
}
