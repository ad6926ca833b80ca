import type { AdrRuleResult } from '../../../protocol/adr-report.ts';
import { messageOf } from '../failure.ts';
import { type Finding, toReport, undecided } from '../finding.ts';
import type { Waiver } from '../records/record.ts';
import { checkAdvisory } from '../rules/advisory.ts';
import { checkCommand } from '../rules/command.ts';
import { type RuleContext, type RuleOutcome, skipped } from '../rules/context.ts';
import { checkDependencies } from '../rules/dependencies.ts';
import { checkForbid } from '../rules/forbid.ts';
import { checkImports } from '../rules/imports.ts';
import { checkLayers } from '../rules/layers.ts';
import { checkRequire } from '../rules/require.ts';
import { checkReview } from '../rules/review.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import { applyWaivers } from './waivers.ts';

/** Runs the check of one rule. */
export async function runRule(rule: EnforcementRule, context: RuleContext): Promise<RuleOutcome> {
  switch (rule.kind) {
    case 'imports':
      return checkImports(rule, context);
    case 'layers':
      return checkLayers(rule, context);
    case 'forbid':
      return checkForbid(rule, context);
    case 'require':
      return checkRequire(rule, context);
    case 'dependencies':
      return checkDependencies(rule, context);
    case 'command':
      return checkCommand(rule, context);
    case 'review':
      return checkReview(rule, context);
    case 'advisory':
      return checkAdvisory(rule, context);
    default:
      return rule satisfies never;
  }
}

/**
 * Runs one rule and judges what it found: a set that is empty or smaller than the rule says it
 * must be makes the rule one that could not be checked, and so does anything it throws.
 */
export async function evaluateRule(
  rule: EnforcementRule,
  context: RuleContext,
  waivers: readonly Waiver[],
  today: string,
): Promise<AdrRuleResult> {
  const startedAt = performance.now();
  const outcome = await runRule(rule, context).catch((error: unknown) => ({
    ...skipped('files', ''),
    skipped: false,
    note: null,
    findings: [
      undecided(
        null,
        `The rule could not be run (${messageOf(error)}), so nothing is known about it.`,
      ),
    ],
  }));
  const own = waivers.filter((waiver) => waiver.rule === rule.id);
  const findings = outcome.skipped
    ? []
    : [
        ...sizeFinding(rule, outcome),
        ...applyWaivers(outcome.findings, own, context.record.path, today, outcome.complete),
      ];
  return {
    id: rule.id,
    kind: rule.kind,
    level: rule.level,
    reason: rule.reason,
    examined: outcome.examined,
    state: stateOf(outcome, findings),
    note: outcome.note,
    findings: findings.map(toReport),
    durationMs: Math.round(performance.now() - startedAt),
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
      : `The rule looked at ${count} ${unit}, and ${least} are the least that mean anything. Correct its paths, or \`atLeast\` if there are fewer now.`;
  return [undecided(null, words)];
}

function stateOf(outcome: RuleOutcome, findings: readonly Finding[]): AdrRuleResult['state'] {
  if (outcome.skipped) return 'skipped';
  const standing = findings.filter((finding) => finding.waiver === null);
  if (standing.some((finding) => finding.certain)) return 'violated';
  return standing.length > 0 ? 'could_not_check' : 'passed';
}
