import { posix } from 'node:path';
import { readText, type SourceTree } from '../tree/tree.ts';
import type { Resolved } from './resolve-js.ts';

/** Resolves Go imports: a path below a module of the tree is every file of that directory. */
export function createGoResolver(tree: SourceTree) {
  const modules = tree.files
    .filter((path) => posix.basename(path) === 'go.mod')
    .flatMap((path) => {
      const name = /^module\s+"?([^\s"]+)"?/m.exec(readText(tree, path))?.[1];
      return name ? [{ name, directory: posix.dirname(path) }] : [];
    })
    // The longest name first: a module can lie inside another.
    .sort((a, b) => b.name.length - a.name.length);
  const byDirectory = new Map<string, string[]>();
  for (const path of tree.files) {
    if (!path.endsWith('.go')) continue;
    const directory = posix.dirname(path);
    const files = byDirectory.get(directory);
    if (files) files.push(path);
    else byDirectory.set(directory, [path]);
  }

  return (_from: string, specifier: string): Resolved => {
    const own = modules.find(
      (one) => specifier === one.name || specifier.startsWith(`${one.name}/`),
    );
    if (!own) return { targets: [], packageName: specifier, known: true };
    const directory = posix.join(own.directory, `.${specifier.slice(own.name.length)}`);
    const files = byDirectory.get(directory);
    return { targets: files ?? [posix.join(directory, '_.go')], packageName: null, known: true };
  };
}
