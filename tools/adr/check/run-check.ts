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
import { createGraph } from '../modules/graph.ts';
import { checkHistory } from '../records/check-history.ts';
import { checkLinks } from '../records/check-links.ts';
import { readHistory } from '../records/history.ts';
import { readRecords } from '../records/read-records.ts';
import type { DecisionRecord } from '../records/record.ts';
import { checkRecords } from '../records/validate.ts';
import { type Position, readPosition } from '../tree/git.ts';
import { readTree } from '../tree/tree.ts';
import { TOOL } from '../version.ts';
import { readChange } from './change.ts';
import { decideExitCode } from './exit-code.ts';
import { asksForReading, lookAtRules } from './look-at-rules.ts';

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
  let reach: AdrReport['history'];
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
    await using graph = createGraph(tree);
    // Git's history is read while the threads for a large tree start.
    if (!change && records.some(asksForReading)) graph.warm();
    ({ looked, reach } = lookAtRecords(workspace, records, position, problems));
    const { commands = true, prove = false } = options;
    const today = new Date(startedAt).toISOString().slice(0, 10);
    const results = await lookAtRules(records, { tree, graph, change, commands, prove, today });
    for (const [index, one] of looked.entries()) one.rules = results[index] ?? [];
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
    ...(reach && { history: reach }),
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
): { looked: Looked[]; reach: AdrReport['history'] } {
  const between = checkRecords(records, workspace.config.numbering);
  let past: ReturnType<typeof checkRecords> = new Map();
  let reach: AdrReport['history'];
  try {
    const history = readHistory(workspace, position);
    past = checkHistory(records, history, workspace.directory);
    ({ reach } = history);
  } catch (error) {
    if (!(error instanceof AdrFailure)) throw error;
    problems.push(undecided(null, error.message));
  }
  problems.push(...(past.get('') ?? []));
  const exists = (path: string) => existsSync(join(workspace.root, path));
  const looked = records.map((record) => ({
    record,
    problems: [
      ...record.problems,
      ...(between.get(record.path) ?? []),
      ...(past.get(record.path) ?? []),
      ...checkLinks(record, exists),
    ],
    rules: [],
  }));
  return { looked, reach };
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
