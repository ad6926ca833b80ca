import { type Finding, undecided } from '../finding.ts';
import { isCode } from '../modules/scripts.ts';
import type { Edge } from '../modules/types.ts';
import { matcherOf, matchesEverything, selectionOf } from '../tree/globs.ts';
import {
  type PreparedRule,
  type RuleContext,
  decideReach,
  skipped,
  withoutReading,
} from './context.ts';
import {
  allowsEverything,
  faultsOfFile,
  undecidedEdge,
  verbOf,
  violation,
} from './edge-findings.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'importing files';

/**
 * Who may import a module. Every way of naming a module counts unless the rule says which; an
 * import that is computed at run time could be the guarded one, so it keeps the rule from passing.
 */
export function prepareImports(rule: RuleOf<'imports'>, context: RuleContext): PreparedRule {
  const { tree, change } = context;
  const guarded = matcherOf(rule.modules ?? []);
  const packages = matcherOf(rule.packages ?? []);
  const allowed = matcherOf(rule.allow);
  const allowsAll = matchesEverything(allowed);
  const chosen = selectionOf(rule.from ?? ['**'], rule.except);
  const inFrom = (path: string) => chosen(path) && (rule.from ? true : isCode(tree.root, path));
  const isImporter = (path: string) => inFrom(path) && !guarded(path);
  const reach = decideReach(change, context.record.path, isImporter, guarded);
  if (reach === 'none') {
    return withoutReading(() => skipped(UNIT, 'No importer and no guarded module changed.'));
  }

  const importers = tree.files.filter(
    (path) => isImporter(path) && (reach === 'all' || change?.paths.has(path)),
  );
  const read = importers.filter((path) => !allowed(path));
  return {
    reads: { edges: read, searches: [] },
    judge: () => {
      const { findings, note } = judgePresence(rule, tree.files);
      if (allowsAll) findings.push(allowsEverything(rule.allow));
      for (const file of context.graph.edgesOf(read)) {
        findings.push(...faultsOfFile(file));
        for (const edge of file.edges) {
          if (rule.importKinds && !rule.importKinds.includes(edge.kind)) continue;
          const hit = guardedName(edge, guarded, packages);
          const problem = hit ? violation(edge, sentence(rule, edge, hit)) : undecidedEdge(edge);
          if (problem) findings.push(problem);
        }
      }
      const examined = { count: importers.length, unit: UNIT };
      return { examined, findings, note, skipped: false, complete: reach === 'all' };
    },
  };
}

/** What there is to say about guarded modules that are not there. */
function judgePresence(
  rule: RuleOf<'imports'>,
  files: readonly string[],
): { findings: Finding[]; note: string | null } {
  // One of several that is renamed is guarded no longer, while the others let the rule pass.
  const gone = (rule.modules ?? []).filter((glob) => !files.some(matcherOf([glob])));
  if (gone.length === 0) return { findings: [], note: null };
  if (rule.allowAbsent !== undefined) {
    return { findings: [], note: `No file is ${gone.join(' or ')}: ${rule.allowAbsent}` };
  }
  const words = `No file is ${gone.join(' or ')}, so there is nothing to guard. Name the module as it is called now, or say with \`allowAbsent\` why it is not there.`;
  return { findings: [undecided(null, words)], note: null };
}

function guardedName(
  edge: Edge,
  guarded: (path: string) => boolean,
  packages: (name: string) => boolean,
): string | null {
  const file = edge.targets.find(guarded);
  if (file !== undefined) return file;
  const name = edge.packageName;
  // `node:fs/promises` is the package `node:fs` too.
  const names = name === null ? [] : [name, name.replace(/^(node:[^/]+)\/.*$/, '$1')];
  return names.some(packages) ? name : null;
}

function sentence(rule: RuleOf<'imports'>, edge: Edge, hit: string): string {
  const who = rule.allow.length === 0 ? 'nothing here may' : `only ${rule.allow.join(' and ')} may`;
  return `${edge.from} ${verbOf(edge)} ${hit}; ${who}. ${rule.reason}`;
}
