import type { AdrRuleResult } from '../../../protocol/adr-report.ts';
import type { ModuleGraph } from '../modules/graph.ts';
import { NO_READS } from '../modules/reads.ts';
import type { DecisionRecord } from '../records/record.ts';
import { isInForce } from '../records/status.ts';
import type { Change, RuleContext } from '../rules/context.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import type { SourceTree } from '../tree/tree.ts';
import { type RuleInHand, takeRule } from './evaluate.ts';
import { proveRule } from './prove.ts';

export type World = {
  tree: SourceTree;
  graph: ModuleGraph;
  /** Null in a full check. */
  change: Change | null;
  commands: boolean;
  prove: boolean;
  /** A date (`2026-11-29`). */
  today: string;
};

/** Whether a record has a rule that reads what files import or hold. */
export const asksForReading = ({ status, rules }: DecisionRecord): boolean =>
  isInForce(status) && rules.some(({ kind }) => READING.has(kind));
const READING = new Set<EnforcementRule['kind']>(['imports', 'layers', 'forbid']);

/**
 * Judges the rules of a record each, in their order. What they need is read at once for all of
 * them; what needs nothing read is judged meanwhile, and the rest, commands too, after it.
 */
export async function lookAtRules(
  records: readonly DecisionRecord[],
  world: World,
): Promise<AdrRuleResult[][]> {
  const taken = records.map((record) => record.rules.map((rule) => takeUp(rule, record, world)));
  const all = taken.flat();
  const reading = world.graph.read(all.map(({ reads }) => reads));
  const results = new Map<RuleInHand, AdrRuleResult>();
  const judge = async (some: readonly RuleInHand[]): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- each rule has all processors to itself
    for (const one of some) results.set(one, await one.judge());
  };
  await judge(all.filter((one) => one.isQuick));
  await reading;
  await judge(all.filter((one) => !one.isQuick));
  return taken.map((rules) => rules.flatMap((one) => results.get(one) ?? []));
}

type InHand = RuleInHand & { isQuick: boolean };

function takeUp(rule: EnforcementRule, record: DecisionRecord, world: World): InHand {
  if (!isInForce(record.status)) {
    const judge = () => Promise.resolve(outOfForce(rule, record.status));
    return { reads: NO_READS, isQuick: true, judge };
  }
  const { tree, graph, change, commands, prove, today } = world;
  const context: RuleContext = {
    tree,
    graph,
    change,
    commands,
    record: { id: record.id, path: record.path },
  };
  const { reads, judge } = takeRule(rule, context, record.waivers, today);
  const isQuick = !READING.has(rule.kind) && rule.kind !== 'command' && !prove;
  if (!prove) return { reads, isQuick, judge };
  const judgeAndProve = async () => proveRule(rule, await judge(), tree, record, commands);
  return { reads, isQuick, judge: judgeAndProve };
}

function outOfForce({ id, kind, level, reason }: EnforcementRule, status: string): AdrRuleResult {
  return {
    id,
    kind,
    level,
    reason,
    examined: { count: 0, unit: 'files' },
    state: 'skipped',
    note:
      status === 'unknown'
        ? 'The status of the record is not known, so whether this is in force is not either.'
        : `Not in force: the record is ${status}.`,
    findings: [],
    durationMs: 0,
  };
}
