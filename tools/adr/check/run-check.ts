import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADR_REPORT_FORMAT,
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
} from '../../../protocol/adr-report.ts';
import { type Workspace, findWorkspace } from '../config/find-root.ts';
import { AdrFailure } from '../failure.ts';
import { type Finding, toReport, undecided } from '../finding.ts';
import { type ModuleGraph, createGraph } from '../modules/graph.ts';
import { checkHistory } from '../records/check-history.ts';
import { checkLinks } from '../records/check-links.ts';
import { readHistory } from '../records/history.ts';
import { readRecords } from '../records/read-records.ts';
import type { DecisionRecord } from '../records/record.ts';
import { isInForce } from '../records/status.ts';
import { checkRecords } from '../records/validate.ts';
import type { Change } from '../rules/context.ts';
import { type Position, readPosition } from '../tree/git.ts';
import { type SourceTree, readTree } from '../tree/tree.ts';
import { TOOL } from '../version.ts';
import { readChange } from './change.ts';
import { evaluateRule } from './evaluate.ts';
import { decideExitCode } from './exit-code.ts';
import { proveRule } from './prove.ts';

export type CheckOptions = {
  /** Any directory of the repository. */
  directory: string;
  /** Compare with this commit or branch and look at the change only. */
  base?: string | null;
  /** The text of the pull request, where answers to reviews may stand. */
  body?: string | null;
  /** Whether rules of kind `command` run; true unless said. */
  commands?: boolean;
  /** Whether each rule's fixtures are tried. */
  prove?: boolean;
  /** The present time in Unix ms: waivers end by it. */
  nowMs?: number;
};

type Looked = { record: DecisionRecord; problems: Finding[]; rules: AdrRuleResult[] };

/**
 * Checks the decision records of a repository and the rules in them. Never throws for what a
 * repository can be: what keeps it from looking stands in the report's `problems`, with exit code
 * 2.
 */
export async function runCheck(options: CheckOptions): Promise<AdrReport> {
  const startedAt = options.nowMs ?? Date.now();
  const began = performance.now();
  const problems: Finding[] = [];
  let looked: Looked[] = [];
  let commit: string | null = null;
  let excluded = 0;
  try {
    const workspace = findWorkspace(options.directory);
    const records = readRecords(workspace);
    const tree = readTree(workspace.root, workspace.config.exclude);
    excluded = tree.excluded ?? 0;
    const position = readPosition(workspace.root);
    commit = position.head;
    const change = options.base
      ? readChange(workspace.root, options.base, options.body ?? null)
      : null;
    looked = lookAtRecords(workspace, records, position, problems);
    await lookAtRules(
      looked,
      tree,
      change,
      options,
      new Date(startedAt).toISOString().slice(0, 10),
    );
  } catch (error) {
    if (!(error instanceof AdrFailure)) throw error;
    problems.push(undecided(null, error.message));
  }
  return {
    format: ADR_REPORT_FORMAT,
    tool: TOOL,
    mode: options.base ? 'change' : 'full',
    base: options.base ?? null,
    commit,
    startedAt,
    durationMs: Math.round(performance.now() - began),
    ...(excluded > 0 && { excluded }),
    records: looked.map(toResult),
    problems: problems.map(toReport),
    exitCode: decideExitCode(looked, problems),
  };
}

function lookAtRecords(
  workspace: Workspace,
  records: readonly DecisionRecord[],
  position: Position,
  problems: Finding[],
): Looked[] {
  const between = checkRecords(records, workspace.config.numbering);
  let past: ReturnType<typeof checkRecords> = new Map();
  try {
    past = checkHistory(records, readHistory(workspace, position), workspace.directory);
  } catch (error) {
    if (!(error instanceof AdrFailure)) throw error;
    problems.push(undecided(null, error.message));
  }
  problems.push(...(past.get('') ?? []));
  const exists = (path: string) => existsSync(join(workspace.root, path));
  return records.map((record) => ({
    record,
    problems: [
      ...record.problems,
      ...(between.get(record.path) ?? []),
      ...(past.get(record.path) ?? []),
      ...checkLinks(record, exists),
    ],
    rules: [],
  }));
}

async function lookAtRules(
  looked: readonly Looked[],
  tree: SourceTree,
  change: Change | null,
  options: CheckOptions,
  today: string,
): Promise<void> {
  const graph = createGraph(tree);
  try {
    for (const { record, rules } of looked) {
      for (const rule of record.rules) {
        // oxlint-disable-next-line no-await-in-loop -- each rule has all processors to itself
        rules.push(await lookAtRule(rule, record, { tree, graph, change, options, today }));
      }
    }
  } finally {
    await graph.close();
  }
}

type World = {
  tree: SourceTree;
  graph: ModuleGraph;
  change: Change | null;
  options: CheckOptions;
  today: string;
};

async function lookAtRule(
  rule: DecisionRecord['rules'][number],
  record: DecisionRecord,
  { tree, graph, change, options, today }: World,
): Promise<AdrRuleResult> {
  if (!isInForce(record.status)) {
    const { id, kind, level, reason } = rule;
    const note = `Not in force: the record is ${record.status}.`;
    const examined = { count: 0, unit: 'files' };
    return {
      id,
      kind,
      level,
      reason,
      examined,
      state: 'skipped',
      note,
      findings: [],
      durationMs: 0,
    };
  }
  const commands = options.commands ?? true;
  const context = { tree, graph, change, commands, record: { id: record.id, path: record.path } };
  const result = await evaluateRule(rule, context, record.waivers, today);
  return options.prove ? proveRule(rule, result, tree, record, commands) : result;
}

function toResult({ record, problems, rules }: Looked): AdrRecordResult {
  const { id, title, status, date, path, supersedes, supersededBy } = record;
  return {
    id,
    title,
    status,
    date,
    path,
    supersedes,
    supersededBy,
    problems: problems.map(toReport),
    rules,
  };
}
