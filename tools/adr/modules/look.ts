import { beginSearch, type CodeQuery, type FileMatches } from './match-file.ts';
import { readFileEdges } from './read-file.ts';
import type { FileTask } from './reads.ts';
import type { JsResolver } from './resolve-js.ts';
import { openSource } from './source.ts';
import type { FileEdges } from './types.ts';

/** What one file has to say to a task. Queries that find nothing in it are left out. */
export type FileAnswer = {
  path: string;
  edges: FileEdges | null;
  found: { query: number; matches: FileMatches }[];
};

/** Answers all that is asked of one file, which is read and parsed once for it. */
export function lookAtFile(
  root: string,
  { path, edges, queries }: FileTask,
  all: readonly CodeQuery[],
  resolveJs: JsResolver,
): FileAnswer {
  const source = openSource(root, path);
  const search = beginSearch(
    source,
    queries.flatMap((index) => all[index] ?? []),
  );
  const read = edges ? readFileEdges(source, resolveJs, search.wantsComments) : null;
  const found = search
    .finish()
    .flatMap((matches, at) => (matches ? [{ query: queries[at] ?? 0, matches }] : []));
  return { path, edges: read, found };
}
