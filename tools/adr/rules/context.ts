import type { Finding } from '../finding.ts';
import type { ModuleGraph } from '../modules/graph.ts';
import { NO_READS, type Reads } from '../modules/reads.ts';
import type { SourceTree } from '../tree/tree.ts';

/** What a change did, from its base to the work tree. Paths are relative to the root. */
export type Change = {
  base: string;
  /** Changed, added, removed; both names of what was renamed. */
  paths: ReadonlySet<string>;
  /** Those that were added, removed or renamed: what an import means can change with them. */
  moved: ReadonlySet<string>;
  /** The messages of the change's commits, and the text of its pull request. */
  answers: string;
};

export type RuleContext = {
  tree: SourceTree;
  graph: ModuleGraph;
  /** Null in a full check. */
  change: Change | null;
  /** Whether rules of kind `command` may run. */
  commands: boolean;
  /** The record that the rule stands in, for what a reviewer answers to. */
  record: { id: string; path: string };
};

/** What one rule found. `complete` is false when only changed files were looked at. */
export type RuleOutcome = {
  examined: { count: number; unit: string };
  findings: Finding[];
  note: string | null;
  skipped: boolean;
  complete: boolean;
};

/**
 * A rule that knows what it looks at: what has to be read for it, and its judgement of that. What
 * all rules need is read together, so that a file is read once whatever their number.
 */
export type PreparedRule = { reads: Reads; judge(): RuleOutcome | Promise<RuleOutcome> };

/** A rule that needs nothing of the graph. */
export const withoutReading = (judge: PreparedRule['judge']): PreparedRule => ({
  reads: NO_READS,
  judge,
});

/** A rule that has nothing to look at in this change. */
export function skipped(unit: string, note: string): RuleOutcome {
  return { examined: { count: 0, unit }, findings: [], note, skipped: true, complete: false };
}

/** A rule that looked at its whole set. */
export function examinedAll(count: number, unit: string, findings: Finding[]): RuleOutcome {
  return { examined: { count, unit }, findings, note: null, skipped: false, complete: true };
}

/** The tool's own configuration, which decides what is looked at at all. */
export const isOwnConfig = (path: string): boolean => /(^|\/)\.adr\.(json|ya?ml)$/.test(path);

/** Files that decide what an import means, wherever they are. */
const RESOLUTION =
  /(^|\/)(package\.json|[tj]sconfig[^/]*\.json|go\.(?:mod|work)|pyproject\.toml|setup\.(py|cfg))$/;

export type Reach = 'all' | 'changed' | 'none';

/**
 * Decides how much of a rule about imports a change touches: everything when the record, what
 * imports mean or a guarded module changed; else the changed importers.
 */
export function decideReach(
  change: Change | null,
  recordPath: string,
  isImporter: (path: string) => boolean,
  isTarget: (path: string) => boolean,
): Reach {
  if (!change) return 'all';
  const paths = [...change.paths];
  if (change.paths.has(recordPath)) return 'all';
  if (paths.some((path) => RESOLUTION.test(path) || isOwnConfig(path) || isTarget(path))) {
    return 'all';
  }
  return paths.some(isImporter) ? 'changed' : 'none';
}
