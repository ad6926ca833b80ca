import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { AdrRuleResult } from '../../../protocol/adr-report.ts';
import { messageOf } from '../failure.ts';
import { type Finding, toReport, undecided } from '../finding.ts';
import { createGraph } from '../modules/graph.ts';
import type { DecisionRecord } from '../records/record.ts';
import type { RuleContext } from '../rules/context.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import { type SourceTree, treeOf } from '../tree/tree.ts';
import { runRule } from './evaluate.ts';
import { type FixtureFiles, copyTree, overlay, writeFixture } from './prove-in-tree.ts';

type Fixture = {
  name: string;
  expect: 'violation' | 'uncheckable';
  files: FixtureFiles;
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
 * Tries a rule's fixtures: each must be caught, in a tree of the fixture's files alone, or beside
 * everything else for a rule that asks for something. A rule without any is unproven, which is told
 * and is no fault; so is one whose command was not to be run.
 */
export async function proveRule(
  rule: EnforcementRule,
  result: AdrRuleResult,
  tree: SourceTree,
  record: DecisionRecord,
  commands: boolean,
): Promise<AdrRuleResult> {
  if (rule.kind === 'advisory') return result;
  const fixtures = fixturesOf(rule);
  if (fixtures.length === 0 || (rule.kind === 'command' && !commands)) {
    return { ...result, proof: { state: 'unproven', fixtures: fixtures.length, caught: 0 } };
  }
  const missed: Finding[] = [];
  for (const fixture of fixtures) {
    // oxlint-disable-next-line no-await-in-loop -- one temporary tree at a time
    const words = await tryFixture({ rule, tree, record }, fixture);
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

type Attempt = { rule: EnforcementRule; tree: SourceTree; record: DecisionRecord };

/** Returns what is wrong when the rule does not catch the fixture, else null. */
async function tryFixture(attempt: Attempt, fixture: Fixture): Promise<string | null> {
  const { rule } = attempt;
  const outside = fixture.files.find(
    ({ path }) => posix.normalize(path).startsWith('..') || posix.isAbsolute(path),
  );
  if (outside) {
    return `The fixture "${fixture.name}" of \`${rule.id}\` writes outside of its tree (${outside.path}). Give a path from the top.`;
  }
  try {
    const caught = asksForPresence(rule)
      ? await isCaughtInTree(attempt, fixture)
      : await isCaughtAlone(attempt, fixture);
    return caught
      ? null
      : `The rule \`${rule.id}\` does not catch its fixture "${fixture.name}", so it would not catch the real thing. Correct the rule or the fixture.`;
  } catch (error) {
    return `The fixture "${fixture.name}" of \`${rule.id}\` could not be tried (${messageOf(error)}).`;
  }
}

/** Rules that an empty tree breaks already: only beside everything else does a fixture show anything. */
const asksForPresence = ({ kind }: EnforcementRule): boolean =>
  kind === 'require' || kind === 'command';

/** Tries a fixture beside the rest of the tree: the rule must hold without it and fail with it. */
async function isCaughtInTree({ rule, tree, record }: Attempt, fixture: Fixture): Promise<boolean> {
  using copy = rule.kind === 'command' ? copyTree(tree) : null;
  const look = async (at: SourceTree): Promise<Finding[]> => {
    await using graph = createGraph(at);
    const context = { tree: at, graph, change: null, commands: true, record };
    const { findings } = await runRule(rule, context);
    return findings;
  };
  const before = await look(copy?.tree ?? tree);
  if (rule.kind === 'command' && before[0]) {
    throw new Error(`without it, in a copy of the tree: ${before[0].message}`);
  }
  if (copy) writeFixture(copy.tree.root, fixture.files);
  const after = await look(copy?.tree ?? overlay(tree, fixture.files));
  const known = new Set(before.map(({ message }) => message));
  const certain = fixture.expect === 'violation';
  return after.some((one) => one.certain === certain && !known.has(one.message));
}

/** Tries a fixture in a tree of its own, so that nothing else can be what the rule finds. */
async function isCaughtAlone({ rule, tree, record }: Attempt, fixture: Fixture): Promise<boolean> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'adr-prove-')));
  try {
    const copied = tree.files.filter((path) => CONFIGURATION.test(path));
    for (const path of copied) copyFileSync(join(tree.root, path), join(top, path));
    writeFixture(top, fixture.files);
    const paths = fixture.files.filter(({ content }) => content !== null).map(({ path }) => path);
    const small = treeOf(top, [...copied, ...paths]);
    await using graph = createGraph(small);
    const changed = new Set(paths);
    // A question to a reviewer is asked of a change: the fixture is one, without an answer.
    const change =
      rule.kind === 'review' ? { base: '', paths: changed, moved: changed, answers: '' } : null;
    const context: RuleContext = { tree: small, graph, change, commands: true, record };
    const outcome = await runRule(rule, context);
    // A fixture that does not parse shows nothing about the rule: what it says has a place.
    const certain = fixture.expect === 'violation';
    return outcome.findings.some((one) => one.certain === certain && one.place !== null);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
