import type { SourceTree } from '../tree/tree.ts';
import { languageOf } from './languages.ts';
import { readPackages } from './packages.ts';
import { resolvePattern } from './resolve-pattern.ts';
import { createGoResolver } from './resolve-go.ts';
import { createPythonResolver } from './resolve-python.ts';
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
  let go: ReturnType<typeof createGoResolver> | null = null;

  function resolve(edge: Edge): Edge {
    if (edge.specifier === null) return edge;
    const language = languageOf(edge.from);
    switch (language) {
      case 'python':
        python ??= createPythonResolver(tree);
        return { ...edge, ...python(edge.from, edge.specifier) };
      case 'go':
        go ??= createGoResolver(tree);
        return { ...edge, ...go(edge.from, edge.specifier) };
      case 'js':
      case 'ts':
        return edge.meaning === 'pattern' ? { ...edge, ...resolvePattern(tree, edge) } : edge;
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
