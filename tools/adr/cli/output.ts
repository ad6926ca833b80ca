import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { type Workspace, findWorkspace } from '../config/find-root.ts';
import { AdrFailure, messageOf } from '../failure.ts';
import { readRecords } from '../records/read-records.ts';
import type { DecisionRecord } from '../records/record.ts';

export type CommonOptions = { root: string; json?: boolean };

/** Gives a command the options that every one has. */
export function withCommon(command: Command): Command {
  return command
    .option('--root <directory>', 'a directory of the repository', '.')
    .option('--json', 'print JSON, errors included');
}

/** Prints a command's result: the value as JSON, or what a person reads. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
}

/** Prints why a command failed: an object on standard output with `--json`, else a sentence. */
export function printFailure(json: boolean, error: unknown): void {
  const known = error instanceof AdrFailure;
  const message = messageOf(error);
  if (json) {
    print(true, { error: { code: known ? error.code : 'internal', message } }, () => '');
    return;
  }
  const detail = error instanceof Error ? (error.stack ?? message) : message;
  process.stderr.write(
    known
      ? `${message}\n`
      : `This failed in a way it does not know; please report it.\n${detail}\n`,
  );
}

/** The repository and its records, for commands that read them. */
export function load(options: CommonOptions): { workspace: Workspace; records: DecisionRecord[] } {
  const workspace = findWorkspace(options.root);
  return { workspace, records: readRecords(workspace) };
}

/** Text of a file made harmless for a terminal, on one line. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ');
}

/** What enforces a record, in a line: how many rules, and of which level. */
export function describeRules(record: DecisionRecord): string {
  const enforced = record.rules.filter((rule) => rule.level === 'enforced').length;
  const advisory = record.rules.length - enforced;
  const parts = [
    ...(enforced > 0 ? [`${enforced} enforced`] : []),
    ...(advisory > 0 ? [`${advisory} advisory`] : []),
  ];
  return parts.join(', ') || 'no rule';
}

/** A record as `--json` gives it. */
export function recordToJson(record: DecisionRecord): Record<string, unknown> {
  const { id, title, status, date, path, style, supersedes, supersededBy, rules, waivers } = record;
  return {
    id,
    title,
    status,
    date,
    path,
    style,
    supersedes,
    supersededBy,
    rules: rules.map(({ id: ruleId, kind, level, reason }) => ({
      id: ruleId,
      kind,
      level,
      reason,
    })),
    waivers: waivers.map(({ rule, path: covered, owner, reason, expires }) => ({
      rule,
      path: covered,
      owner,
      reason,
      expires,
    })),
    problems: record.problems.map((problem) => problem.message),
  };
}
