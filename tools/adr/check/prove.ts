import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import type { AdrRuleResult } from '../../../protocol/adr-report.ts';
import { messageOf } from '../failure.ts';
import { type Finding, toReport, undecided } from '../finding.ts';
import { createGraph } from '../modules/graph.ts';
import type { DecisionRecord } from '../records/record.ts';
import type { RuleContext } from '../rules/context.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import { type SourceTree, treeOf } from '../tree/tree.ts';
import { runRule } from './evaluate.ts';

type Fixture = {
  name: string;
  expect: 'violation' | 'uncheckable';
  files: { path: string; content: string }[];
};

/** Files at the top that decide what an import means; a fixture stands beside copies of them. */
const CONFIGURATION = /^(package\.json|[tj]sconfig[^/]*\.json|go\.mod|pyproject\.toml)$/;

/** The fixtures of a rule, each with a name. */
export function fixturesOf(rule: EnforcementRule): Fixture[] {
  return rule.violates.map((given, index) =>
    'files' in given
      ? { name: given.name ?? `fixture ${index + 1}`, expect: given.expect, files: given.files }
      : { name: given.path, expect: given.expect, files: [given] },
  );
}

/**
 * Tries a rule's fixtures: each must be caught, in a tree of the fixture's files alone. A rule
 * without any is unproven, which is told and is no fault.
 */
export async function proveRule(
  rule: EnforcementRule,
  result: AdrRuleResult,
  tree: SourceTree,
  record: DecisionRecord,
): Promise<AdrRuleResult> {
  if (rule.kind === 'advisory') return result;
  const fixtures = fixturesOf(rule);
  if (fixtures.length === 0) {
    return { ...result, proof: { state: 'unproven', fixtures: 0, caught: 0 } };
  }
  const missed: Finding[] = [];
  for (const fixture of fixtures) {
    // oxlint-disable-next-line no-await-in-loop -- one temporary tree at a time
    const words = await tryFixture(rule, fixture, tree, record);
    if (words) missed.push(undecided({ path: record.path }, words));
  }
  const caught = fixtures.length - missed.length;
  const proof = {
    state: missed.length === 0 ? 'proven' : 'failed',
    fixtures: fixtures.length,
    caught,
  } as const;
  if (missed.length === 0) return { ...result, proof };
  const state = result.state === 'violated' ? 'violated' : 'could_not_check';
  return { ...result, proof, state, findings: [...result.findings, ...missed.map(toReport)] };
}

/** Returns what is wrong when the rule does not catch the fixture, else null. */
async function tryFixture(
  rule: EnforcementRule,
  fixture: Fixture,
  tree: SourceTree,
  record: DecisionRecord,
): Promise<string | null> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'adr-prove-')));
  try {
    const copied = tree.files.filter((path) => CONFIGURATION.test(path));
    for (const path of copied) copyFileSync(join(tree.root, path), join(top, path));
    for (const { path, content } of fixture.files) {
      if (posix.normalize(path).startsWith('..') || posix.isAbsolute(path)) {
        return `The fixture "${fixture.name}" of \`${rule.id}\` writes outside of its tree (${path}). Give a path from the top.`;
      }
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    }
    const paths = fixture.files.map((file) => file.path);
    const small = treeOf(top, [...copied, ...paths]);
    const graph = createGraph(small);
    const changed = new Set(paths);
    // A question to a reviewer is asked of a change: the fixture is one, without an answer.
    const change =
      rule.kind === 'review' ? { base: '', paths: changed, moved: changed, answers: '' } : null;
    const context: RuleContext = { tree: small, graph, change, commands: true, record };
    const outcome = await runRule(rule, context);
    await graph.close();
    // A fixture that does not parse, or a command that is not there, shows nothing about the rule.
    const certain = fixture.expect === 'violation';
    const caught = outcome.findings.some(
      (finding) => finding.certain === certain && (finding.place !== null || isWhole(rule)),
    );
    return caught
      ? null
      : `The rule \`${rule.id}\` does not catch its fixture "${fixture.name}", so it would not catch the real thing. Correct the rule or the fixture.`;
  } catch (error) {
    return `The fixture "${fixture.name}" of \`${rule.id}\` could not be tried (${messageOf(error)}).`;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Kinds whose finding has no place in a file. */
const isWhole = (rule: EnforcementRule): boolean =>
  rule.kind === 'require' || rule.kind === 'command';
