import fuzzysort from 'fuzzysort';
import { type FindFiles, type FoundFiles, isMentionable } from '../../protocol/find-files.ts';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import { decideToolUse } from '../engines/tool-policy.ts';
import { depthOf, type ListedFiles } from './list-files.ts';

/** Best matches of which as many are kept as the policy lets be read. */
const RANKED_MAX = 500;
/** Letters that stand too far apart are no match (fuzzysort: 1 is exact, 0 is none). */
const THRESHOLD = 0.3;

/**
 * The files that a person may mean, the best match first; without a word the nearest to the top.
 * None that the policy of the session denies: an engine that is pointed to one is only refused; and
 * none that cannot be pointed to by its name.
 * Pure.
 */
export function rankFiles(
  { paths, more }: ListedFiles,
  { query, limit }: FindFiles,
  rules: readonly ToolRule[],
): FoundFiles {
  const denied = rules.filter(({ effect, on }) => effect === 'deny' && on === 'file');
  const files: string[] = [];
  const named = paths.filter(isMentionable);
  for (const path of query.trim() === '' ? byDepth(named) : match(named, query)) {
    if (files.length === limit) break;
    if (!decideToolUse(denied, { name: 'Read', input: { path } })) files.push(path);
  }
  return { files, examined: paths.length, more };
}

function match(paths: readonly string[], query: string): string[] {
  try {
    return fuzzysort
      .go(query, paths, { limit: RANKED_MAX, threshold: THRESHOLD })
      .map(({ target }) => target);
  } finally {
    // It keeps every path that it ever looked at, several times its size, until it is told not to.
    fuzzysort.cleanup();
  }
}

const byDepth = (paths: readonly string[]): string[] =>
  paths
    .map((path) => ({ path, depth: depthOf(path) }))
    .toSorted((one, other) => one.depth - other.depth || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
