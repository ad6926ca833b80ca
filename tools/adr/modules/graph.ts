import type { SourceTree } from '../tree/tree.ts';
import { languageOf } from './languages.ts';
import { readPackages } from './packages.ts';
import { resolvePattern } from './resolve-pattern.ts';
import { createGoResolver } from './resolve-go.ts';
import { createPythonResolver } from './resolve-python.ts';
import { codeName } from './scripts.ts';
import { createParser, type Parser } from './tasks.ts';
import type { Edge, FileEdges } from './types.ts';

/** The imports of a tree. A file is read once, whatever the number of rules that ask for it. */
export type ModuleGraph = {
  edgesOf(paths: readonly string[]): Promise<FileEdges[]>;
  matches: Parser['matches'];
  close(): Promise<void>;
};

export function createGraph(tree: SourceTree): ModuleGraph {
  const parser = createParser({ root: tree.root, packages: readPackages(tree) });
  const known = new Map<string, FileEdges>();
  let python: ReturnType<typeof createPythonResolver> | null = null;
  let byLetters: Map<string, string[]> | null = null;
  let go: ReturnType<typeof createGoResolver> | null = null;

  /** A path whose letters differ from a file's in their case is that file on some machines. */
  function inAnyCase(path: string): readonly string[] {
    if (tree.has(path)) return [path];
    byLetters ??= byLowerCase(tree.files);
    return byLetters.get(path.toLowerCase()) ?? [path];
  }

  function resolve(edge: Edge): Edge {
    if (edge.specifier === null) return edge;
    const language = languageOf(codeName(tree.root, edge.from));
    switch (language) {
      case 'python':
        python ??= createPythonResolver(tree);
        return { ...edge, ...python(edge.from, edge.specifier) };
      case 'go':
        go ??= createGoResolver(tree);
        return { ...edge, ...go(edge.from, edge.specifier) };
      case 'js':
      case 'ts':
        return edge.meaning === 'pattern'
          ? { ...edge, ...resolvePattern(tree, edge) }
          : { ...edge, targets: edge.targets.flatMap(inAnyCase) };
      case null:
        return edge;
      default:
        return language satisfies never;
    }
  }

  return {
    matches: parser.matches,
    close: parser.close,
    edgesOf: async (paths) => {
      const unread = [...new Set(paths)].filter((path) => !known.has(path));
      for (const file of await parser.edges(unread)) {
        known.set(file.path, { ...file, edges: file.edges.map(resolve) });
      }
      return paths.flatMap((path) => known.get(path) ?? []);
    },
  };
}

function byLowerCase(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const key = file.toLowerCase();
    const known = found.get(key);
    if (known) known.push(file);
    else found.set(key, [file]);
  }
  return found;
}
