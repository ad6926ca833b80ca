import type { CodeQuery } from './match-file.ts';

/** What a rule needs to have read: the imports of files, and where files match queries. */
export type Reads = {
  edges: readonly string[];
  searches: readonly { paths: readonly string[]; query: CodeQuery }[];
};

export const NO_READS: Reads = { edges: [], searches: [] };

/** One file with all that is asked of it: its imports or not, and queries by their number. */
export type FileTask = { path: string; edges: boolean; queries: number[] };
export type ReadingPlan = { files: FileTask[]; queries: CodeQuery[] };

/** All that several rules ask of a file in one task for it, so that each file is read once. */
export function planReading(all: readonly Reads[]): ReadingPlan {
  const tasks = new Map<string, FileTask>();
  const queries: CodeQuery[] = [];
  const taskOf = (path: string): FileTask => {
    const known = tasks.get(path);
    if (known) return known;
    const task = { path, edges: false, queries: [] };
    tasks.set(path, task);
    return task;
  };
  for (const { edges, searches } of all) {
    for (const path of edges) taskOf(path).edges = true;
    for (const { paths, query } of searches) {
      const index = queries.push(query) - 1;
      for (const path of paths) taskOf(path).queries.push(index);
    }
  }
  return { files: [...tasks.values()], queries };
}

/** Small enough to share the work evenly, large enough that messages cost nothing beside it. */
export const FILES_A_CHUNK = 100;
/** A plan, with the number of its next chunk, which all threads share. */
export type ThreadTask = { plan: ReadingPlan; next: Int32Array };
