import type { SourceTree } from '../tree/tree.ts';
import { languageOf } from './languages.ts';
import type { CodeQuery, FileMatches } from './match-file.ts';
import { readPackages } from './packages.ts';
import { planReading, type Reads } from './reads.ts';
import { resolvePattern } from './resolve-pattern.ts';
import { createGoResolver } from './resolve-go.ts';
import { createPythonResolver } from './resolve-python.ts';
import { codeName } from './scripts.ts';
import { createReader } from './threads.ts';
import type { Edge, FileEdges } from './types.ts';

/** What the files of a tree import and where they match. A file is read once for all rules. */
export type ModuleGraph = {
  /** Starts what a large tree needs to be read, while there is something else to do. */
  warm(): void;
  /** Reads all that is asked for. What cannot be read at all is thrown to whoever asks for it. */
  read(all: readonly Reads[]): Promise<void>;
  edgesOf(paths: readonly string[]): FileEdges[];
  /** What a query found, file by file, without those in which it found nothing. */
  matchesOf(query: CodeQuery): FileMatches[];
  [Symbol.asyncDispose](): Promise<void>;
};

export function createGraph(tree: SourceTree): ModuleGraph {
  const reader = createReader({ root: tree.root, packages: readPackages(tree) });
  const known = new Map<string, FileEdges>();
  const found = new Map<CodeQuery, FileMatches[]>();
  let failure: { error: unknown } | null = null;
  let python: ReturnType<typeof createPythonResolver> | null = null;
  let byLetters: Map<string, string[]> | null = null;
  let go: ReturnType<typeof createGoResolver> | null = null;

  /** A path whose letters differ from a file's in their case is that file on some machines. */
  function inAnyCase(path: string): readonly string[] {
    if (tree.has(path)) return [path];
    byLetters ??= byLowerCase(tree.files);
    return byLetters.get(path.toLowerCase()) ?? [path];
  }

  function resolveScript(edge: Edge): Edge {
    if (edge.meaning === 'pattern') return { ...edge, ...resolvePattern(tree, edge) };
    return edge.targets.every(tree.has)
      ? edge
      : { ...edge, targets: edge.targets.flatMap(inAnyCase) };
  }

  function resolverFor(path: string): (edge: Edge) => Edge {
    const language = languageOf(codeName(tree.root, path));
    switch (language) {
      case 'python': {
        const resolve = (python ??= createPythonResolver(tree));
        return (edge) => ({ ...edge, ...resolve(edge.from, edge.specifier ?? '') });
      }
      case 'go': {
        const resolve = (go ??= createGoResolver(tree));
        return (edge) => ({ ...edge, ...resolve(edge.from, edge.specifier ?? '') });
      }
      case 'js':
      case 'ts':
        return resolveScript;
      case null:
        return (edge) => edge;
      default:
        return language satisfies never;
    }
  }

  function resolved(file: FileEdges): FileEdges {
    if (file.edges.length === 0) return file;
    const resolve = resolverFor(file.path);
    const edges = file.edges.map((edge) => (edge.specifier === null ? edge : resolve(edge)));
    return { ...file, edges };
  }

  function unread(what: string): never {
    if (failure) throw failure.error;
    throw new Error(`${what} was not read before it was asked for`);
  }

  return {
    warm: () => reader.warm(tree.files.length),
    [Symbol.asyncDispose]: reader.close,
    read: async (all) => {
      const wanted = all.map(({ edges, searches }) => ({
        edges: edges.filter((path) => !known.has(path)),
        searches: searches.filter(({ query }) => !found.has(query)),
      }));
      const plan = planReading(wanted);
      const answers = await reader.read(plan).catch((error: unknown) => {
        failure = { error };
        return [];
      });
      for (const query of plan.queries) found.set(query, []);
      for (const { edges, found: hits } of answers) {
        if (edges) known.set(edges.path, resolved(edges));
        for (const { query, matches } of hits) {
          const asked = plan.queries[query];
          if (asked) found.get(asked)?.push(matches);
        }
      }
    },
    edgesOf: (paths) => paths.map((path) => known.get(path) ?? unread(path)),
    matchesOf: (query) => {
      const matches = found.get(query);
      return failure || !matches ? unread(JSON.stringify(query)) : inOrder(matches);
    },
  };
}

/** Threads answer in any order; a report says the same each time. */
const inOrder = (matches: readonly FileMatches[]): FileMatches[] =>
  [...matches].sort((a, b) => (a.path < b.path ? -1 : 1));

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
