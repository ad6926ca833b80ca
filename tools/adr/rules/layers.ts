import { type Finding, found } from '../finding.ts';
import { isCode } from '../modules/scripts.ts';
import type { Edge } from '../modules/types.ts';
import { type Matcher, matcherOf, selectionOf } from '../tree/globs.ts';
import {
  type PreparedRule,
  type RuleContext,
  decideReach,
  skipped,
  withoutReading,
} from './context.ts';
import { faultsOfFile, undecidedEdge, verbOf, violation } from './edge-findings.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'files in layers';

type Layer = RuleOf<'layers'>['layers'][number] & { holds: Matcher; reaches: ReadonlySet<string> };

/** Layers of which each may import itself and what it is allowed, or all that stand after it. */
export function prepareLayers(rule: RuleOf<'layers'>, context: RuleContext): PreparedRule {
  const { tree, change } = context;
  const layers: Layer[] = rule.layers.map((layer, index) => ({
    ...layer,
    holds: selectionOf(layer.paths, [...layer.except, ...rule.except]),
    reaches: new Set(layer.may ?? rule.layers.slice(index + 1).map((below) => below.name)),
  }));
  const layerOf = (path: string): Layer | null => layers.find((one) => one.holds(path)) ?? null;
  const within = selectionOf(rule.within ?? [], rule.except);
  const isImporter = (path: string): boolean =>
    (layerOf(path) !== null || within(path)) && isCode(tree.root, path);
  const moves = (path: string): boolean => change?.moved.has(path) === true && isImporter(path);
  const reach = decideReach(change, context.record.path, isImporter, moves);
  if (reach === 'none') {
    return withoutReading(() => skipped(UNIT, 'No file of the layers changed.'));
  }

  const files = tree.files.filter(
    (path) => isImporter(path) && (reach === 'all' || change?.paths.has(path)),
  );
  return {
    reads: { edges: files, searches: [] },
    judge: () => {
      const findings: Finding[] = [];
      if (reach === 'all') findings.push(...emptyLayers(layers, tree.files));
      for (const file of context.graph.edgesOf(files)) {
        const layer = layerOf(file.path);
        if (!layer) {
          findings.push(homeless(file.path, rule.id));
          continue;
        }
        findings.push(...faultsOfFile(file));
        for (const edge of file.edges) {
          const problem = undecidedEdge(edge) ?? judge(edge, layer, layerOf, within, rule.reason);
          if (problem) findings.push(problem);
        }
      }
      const examined = { count: files.length, unit: UNIT };
      return { examined, findings, note: null, skipped: false, complete: reach === 'all' };
    },
  };
}

const homeless = (path: string, rule: string): Finding =>
  found(
    { path },
    `${path} belongs to no layer, so nothing says what it may import. Give it a place in the rule \`${rule}\`.`,
  );

function emptyLayers(layers: readonly Layer[], files: readonly string[]): Finding[] {
  return layers
    .filter((layer) => !files.some(layer.holds))
    .map((layer) => ({
      ...found(
        null,
        `The layer \`${layer.name}\` holds no file (${layer.paths.join(', ')}), so the rule says nothing about it. Correct its paths or take it out.`,
      ),
      certain: false,
    }));
}

function judge(
  edge: Edge,
  layer: Layer,
  layerOf: (path: string) => Layer | null,
  within: Matcher,
  reason: string,
): Finding | null {
  for (const target of edge.targets) {
    const other = layerOf(target);
    if (other && other.name !== layer.name && !layer.reaches.has(other.name)) {
      return violation(
        edge,
        `${edge.from} (${layer.name}) ${verbOf(edge)} ${target} (${other.name}); ${layer.name} may import ${[...layer.reaches].join(', ') || 'nothing beside itself'}. ${reason}`,
      );
    }
    if (!other && within(target)) {
      return violation(
        edge,
        `${edge.from} ${verbOf(edge)} ${target}, which belongs to no layer. ${reason}`,
      );
    }
  }
  const name = edge.packageName;
  if (name === null) return null;
  const only = layer.packages && !matcherOf(layer.packages)(name);
  const banned = layer.bannedPackages && matcherOf(layer.bannedPackages)(name);
  if (!only && !banned) return null;
  const may = only
    ? `${layer.name} may import ${layer.packages?.join(', ') || 'no package'}`
    : `${layer.name} must not`;
  return violation(edge, `${edge.from} ${verbOf(edge)} the package ${name}; ${may}. ${reason}`);
}
