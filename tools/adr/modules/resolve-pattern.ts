import { posix } from 'node:path';
import { matcherOf } from '../tree/globs.ts';
import type { SourceTree } from '../tree/tree.ts';
import type { Resolved } from './resolve-js.ts';
import type { Edge } from './types.ts';

/** The files that a pattern of paths means: beside the file that says it, or from the top. */
export function resolvePattern(tree: SourceTree, { from, specifier }: Edge): Resolved {
  if (!/^\.{0,2}\//.test(specifier ?? '')) return { targets: [], packageName: null, known: false };
  const base = specifier?.startsWith('/') ? '.' : posix.dirname(from);
  const targets = tree.files.filter(matcherOf([posix.join(base, specifier ?? '')]));
  return { targets, packageName: null, known: true };
}
