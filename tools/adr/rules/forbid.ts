import { type Finding, found, undecided } from '../finding.ts';
import type { FileMatches } from '../modules/match-file.ts';
import { selectionOf } from '../tree/globs.ts';
import {
  type PreparedRule,
  type RuleContext,
  decideReach,
  isOwnConfig,
  skipped,
  withoutReading,
} from './context.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'files';

/** Code or text that must not be there. */
export function prepareForbid(rule: RuleOf<'forbid'>, context: RuleContext): PreparedRule {
  const { tree, change } = context;
  const chosen = selectionOf(rule.paths, rule.except);
  const recordChanged =
    change !== null &&
    [...change.paths].some((path) => path === context.record.path || isOwnConfig(path));
  const reach = recordChanged
    ? 'all'
    : decideReach(
        change && { ...change, paths: new Set([...change.paths].filter(chosen)) },
        '',
        chosen,
        () => false,
      );
  if (reach === 'none') return withoutReading(() => skipped(UNIT, 'None of its files changed.'));
  const files = tree.files.filter(
    (path) => chosen(path) && (reach === 'all' || change?.paths.has(path)),
  );
  const { patterns, match, contains, text } = rule;
  const query = { patterns, match, contains, text };
  return {
    reads: { edges: [], searches: [{ paths: files, query }] },
    judge: () => ({
      examined: { count: files.length, unit: UNIT },
      findings: context.graph.matchesOf(query).flatMap((file) => findingsOf(file, rule.reason)),
      note: null,
      skipped: false,
      complete: reach === 'all',
    }),
  };
}

function findingsOf({ path, faults, matches }: FileMatches, reason: string): Finding[] {
  return [
    ...faults
      .slice(0, 1)
      .map((fault) =>
        undecided(
          { path, line: fault.line },
          `${path} cannot be looked through (${fault.message}), so the rule does not know what is in it. Correct the file, or leave it out with \`except\`.`,
        ),
      ),
    ...matches.map(({ line, column, excerpt }) =>
      found({ path, line, column }, `This must not be here. ${reason}`, excerpt),
    ),
  ];
}
