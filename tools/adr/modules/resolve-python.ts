import { posix } from 'node:path';
import type { SourceTree } from '../tree/tree.ts';
import type { Resolved } from './resolve-js.ts';

/** What a path of a file begins with, where Python takes one in place of a module's name. */
export const FILE = 'file:';

const PROJECT_FILES = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg)$/;

/**
 * Resolves what Python files mention. Absolute names are looked for from the top of the tree, from
 * each project's directory and its `src`, and from the directory of the importer's own package.
 */
export function createPythonResolver(tree: SourceTree) {
  const projects = tree.files.filter((path) => PROJECT_FILES.test(path)).map(posix.dirname);
  const roots = [...new Set(['.', ...projects].flatMap((at) => [at, posix.join(at, 'src')]))];

  const moduleAt = (directory: string, dotted: string): string | null => {
    const base = posix.join(directory, ...dotted.split('.').filter(Boolean));
    const candidates = [`${base}.py`, `${base}.pyi`, posix.join(base, '__init__.py')];
    return candidates.map(tree.real).find((path) => tree.has(path)) ?? null;
  };
  const ownRoot = (from: string): string => {
    let at = posix.dirname(from);
    while (at !== '.' && tree.has(posix.join(at, '__init__.py'))) at = posix.dirname(at);
    return at;
  };

  return (from: string, specifier: string): Resolved => {
    if (specifier.startsWith(FILE)) return fileAt(from, specifier.slice(FILE.length));
    const [dotted = '', name] = specifier.split(':');
    const dots = /^\.*/.exec(dotted)?.[0].length ?? 0;
    const inner = name === undefined || name === '*' ? [] : [name];
    if (dots > 0) {
      const base = posix.join(posix.dirname(from), ...Array<string>(dots - 1).fill('..'));
      return {
        targets: targetsAt(base, dotted.slice(dots), inner),
        packageName: null,
        known: true,
      };
    }
    for (const root of [...roots, ownRoot(from)]) {
      const known = knownAt(root, dotted, inner);
      if (known.length > 0) return { targets: known, packageName: null, known: true };
    }
    return { targets: [], packageName: dotted.split('.')[0] ?? dotted, known: true };
  };

  /** A file by its path, from wherever the program is started or from beside the importer. */
  function fileAt(from: string, path: string): Resolved {
    const paths = ['.', ...roots, posix.dirname(from)].map((at) => tree.real(posix.join(at, path)));
    return { targets: [...new Set(paths)], packageName: null, known: !posix.isAbsolute(path) };
  }

  /** The package's own file and the module inside it, as far as they are there. */
  function knownAt(root: string, dotted: string, inner: readonly string[]): string[] {
    return [dotted, ...inner.map((name) => `${dotted}.${name}`)].flatMap(
      (candidate) => moduleAt(root, candidate) ?? [],
    );
  }

  /** The same for a relative import, which means a file even when it is absent. */
  function targetsAt(base: string, dotted: string, inner: readonly string[]): string[] {
    const known = knownAt(base, dotted, inner);
    if (known.length > 0) return known;
    const path = posix.join(base, ...dotted.split('.').filter(Boolean), ...inner);
    return [`${path}.py`, posix.join(path, '__init__.py')];
  }
}
