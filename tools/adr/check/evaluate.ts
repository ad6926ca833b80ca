import type { AdrRuleResult } from '../../../protocol/adr-report.ts';
import { unitOf } from '../../../protocol/decision-results.ts';
import { messageOf } from '../failure.ts';
import { type Finding, toReport, undecided } from '../finding.ts';
import type { Reads } from '../modules/reads.ts';
import type { Waiver } from '../records/record.ts';
import { checkAdvisory } from '../rules/advisory.ts';
import { checkCommand } from '../rules/command.ts';
import {
  type PreparedRule,
  type RuleContext,
  type RuleOutcome,
  skipped,
  withoutReading,
} from '../rules/context.ts';
import { checkDependencies } from '../rules/dependencies.ts';
import { prepareForbid } from '../rules/forbid.ts';
import { prepareImports } from '../rules/imports.ts';
import { prepareLayers } from '../rules/layers.ts';
import { checkRequire } from '../rules/require.ts';
import { checkReview } from '../rules/review.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import { applyWaivers, tellLongWaivers } from './waivers.ts';

/** Decides what one rule looks at. */
function prepareRule(rule: EnforcementRule, context: RuleContext): PreparedRule {
  switch (rule.kind) {
    case 'imports':
      return prepareImports(rule, context);
    case 'layers':
      return prepareLayers(rule, context);
    case 'forbid':
      return prepareForbid(rule, context);
    case 'require':
      return withoutReading(() => checkRequire(rule, context));
    case 'dependencies':
      return withoutReading(() => checkDependencies(rule, context));
    case 'command':
      return withoutReading(() => checkCommand(rule, context));
    case 'review':
      return withoutReading(() => checkReview(rule, context));
    case 'advisory':
      return withoutReading(() => checkAdvisory(rule, context));
    default:
      return rule satisfies never;
  }
}

/** Runs the check of one rule by itself. */
export async function runRule(rule: EnforcementRule, context: RuleContext): Promise<RuleOutcome> {
  const { reads, judge } = prepareRule(rule, context);
  await context.graph.read([reads]);
  return judge();
}

/** A rule that is to be judged once what it needs is read. */
export type RuleInHand = { reads: Reads; judge(): Promise<AdrRuleResult> };

/**
 * Takes up one rule, to be judged by what it found: a set that is empty or smaller than the rule
 * says it must be makes the rule one that could not be checked, and so does anything it throws.
 * Its duration is its own time, without the reading that it shares with others.
 */
export function takeRule(
  rule: EnforcementRule,
  context: RuleContext,
  waivers: readonly Waiver[],
  today: string,
): RuleInHand {
  const startedAt = performance.now();
  const prepared = attempt(() => prepareRule(rule, context));
  const preparedMs = performance.now() - startedAt;
  return {
    reads: prepared.reads,
    judge: async () => {
      const begunAt = performance.now();
      const outcome = await Promise.resolve().then(prepared.judge).catch(unknownOutcome);
      const result = resultOf(rule, outcome, context, waivers, today);
      return { ...result, durationMs: Math.round(preparedMs + performance.now() - begunAt) };
    },
  };
}

function attempt(prepare: () => PreparedRule): PreparedRule {
  try {
    return prepare();
  } catch (error) {
    return withoutReading(() => unknownOutcome(error));
  }
}

const unknownOutcome = (error: unknown): RuleOutcome => ({
  ...skipped('files', ''),
  skipped: false,
  note: null,
  findings: [
    undecided(
      null,
      `The rule could not be run (${messageOf(error)}), so nothing is known about it.`,
    ),
  ],
});

function resultOf(
  rule: EnforcementRule,
  outcome: RuleOutcome,
  context: RuleContext,
  waivers: readonly Waiver[],
  today: string,
): Omit<AdrRuleResult, 'durationMs'> {
  const own = waivers.filter((waiver) => waiver.rule === rule.id);
  const findings = outcome.skipped
    ? []
    : [
        ...sizeFinding(rule, outcome),
        ...applyWaivers(outcome.findings, own, context.record.path, today, outcome.complete),
      ];
  const { id, kind, level, reason } = rule;
  return {
    id,
    kind,
    level,
    reason,
    examined: outcome.examined,
    state: stateOf(outcome, findings),
    note: [outcome.note, tellLongWaivers(own, today)].filter(Boolean).join(' ') || null,
    findings: findings.map(toReport),
  };
}

function sizeFinding(rule: EnforcementRule, outcome: RuleOutcome): Finding[] {
  const { count, unit } = outcome.examined;
  if (!outcome.complete || outcome.findings.some((finding) => !finding.certain && !finding.place))
    return [];
  const least = rule.atLeast ?? 1;
  if (count >= least) return [];
  const words =
    count === 0
      ? `The rule looked at nothing (0 ${unit}), so it says nothing. Correct its paths.`
      : `The rule looked at ${count} ${unitOf(outcome.examined)}, and ${least} are the least that mean anything. Correct its paths, or \`atLeast\` if there are fewer now.`;
  return [undecided(null, words)];
}

function stateOf(outcome: RuleOutcome, findings: readonly Finding[]): AdrRuleResult['state'] {
  if (outcome.skipped) return 'skipped';
  const standing = findings.filter((finding) => finding.waiver === null);
  if (standing.some((finding) => finding.certain)) return 'violated';
  return standing.length > 0 ? 'could_not_check' : 'passed';
}
