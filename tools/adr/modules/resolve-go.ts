import { posix } from 'node:path';
import { readText, type SourceTree } from '../tree/tree.ts';
import type { Resolved } from './resolve-js.ts';

/** `replace example.com/a v1.2.3 => ./a`, in a line of its own or in a block. */
const REPLACED = /^\s*(?:replace\s+)?([^\s/(][^\s]*)(?:\s+v\S+)?\s+=>\s+(\.{1,2}\/\S*)/gm;

/** Resolves Go imports: a path below a module of the tree is every file of that directory. */
export function createGoResolver(tree: SourceTree) {
  const modules = tree.files
    .filter((path) => ['go.mod', 'go.work'].includes(posix.basename(path)))
    .flatMap((path) => {
      const text = readText(tree, path);
      const directory = posix.dirname(path);
      const name = /^module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
      // Whatever name it is imported by, a module that is replaced by a directory is what is there.
      const replaced = [...text.matchAll(REPLACED)].map(([, other = '', at = '']) => ({
        name: other,
        directory: posix.join(directory, at),
      }));
      return [...(name ? [{ name, directory }] : []), ...replaced];
    })
    // The longest name first: a module can lie inside another.
    .sort((a, b) => b.name.length - a.name.length);
  const byDirectory = new Map<string, string[]>();
  for (const path of tree.files) {
    if (!path.endsWith('.go')) continue;
    const directory = posix.dirname(path);
    const files = byDirectory.get(tree.real(directory));
    if (files) files.push(path);
    else byDirectory.set(directory, [path]);
  }

  return (_from: string, specifier: string): Resolved => {
    const own = modules.find(
      (one) => specifier === one.name || specifier.startsWith(`${one.name}/`),
    );
    if (!own) return { targets: [], packageName: specifier, known: true };
    const directory = posix.join(own.directory, `.${specifier.slice(own.name.length)}`);
    const files = byDirectory.get(tree.real(directory));
    return { targets: files ?? [posix.join(directory, '_.go')], packageName: null, known: true };
  };
}
