import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AdrReport, AdrRuleResult } from '../../protocol/adr-report.ts';
import { type CheckOptions, runCheck } from '../../tools/adr/check/run-check.ts';

export type Files = Record<string, string>;

/** A git whose settings are those of the test alone. */
const GIT_ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

/** A repository of its own in a temporary directory, with real git. */
export type Repository = {
  root: string;
  git(...args: string[]): string;
  write(files: Files): void;
  writeBytes(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
  read(path: string): string;
  commit(message?: string): string;
  check(options?: Partial<CheckOptions>): Promise<AdrReport>;
  dispose(): void;
};

const newRoot = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-adr-')));

/** A copy of a repository, with its history. */
export function copyRepository(from: string): Repository {
  const root = newRoot();
  cpSync(from, root, { recursive: true });
  return repositoryAt(root);
}

/** Makes a repository of these files, committed. */
export function makeRepository(files: Files = {}): Repository {
  const repository = repositoryAt(newRoot());
  // Without the samples that git puts into each new repository.
  repository.git('init', '-q', '-b', 'main', '--template=');
  repository.write(files);
  if (Object.keys(files).length > 0) repository.commit('Begin');
  return repository;
}

function repositoryAt(root: string): Repository {
  const git = (...args: string[]): string => {
    const result = spawnSync('git', args, { cwd: root, env: GIT_ENV, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
    return result.stdout.trim();
  };
  const repository: Repository = {
    root,
    git,
    write: (more) => {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    writeBytes: (path, bytes) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    },
    remove: (path) => rmSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    commit: (message = 'Change it') => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    check: (options = {}) => runCheck({ directory: root, ...options }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
  return repository;
}

export type RecordText = {
  number?: number;
  title?: string;
  status?: string;
  /** More lines of front matter, as YAML. */
  front?: string;
  body?: string;
};

/** The text of a MADR record. */
export function recordText(given: RecordText = {}): string {
  const {
    number = 1,
    title = 'A decision',
    status = 'accepted',
    front = '',
    body = 'We do it.',
  } = given;
  const id = String(number).padStart(4, '0');
  const yaml = ['status: ' + status, 'date: 2026-01-02', ...(front ? [front.trimEnd()] : [])];
  return `---\n${yaml.join('\n')}\n---\n\n# ${id}. ${title}\n\n## Decision\n\n${body}\n`;
}

/** One record with one rule; `rule` is its YAML without id, kind and reason. */
export function recordWithRule(kind: string, rule: string, more = ''): string {
  const lines = rule
    .trim()
    .split('\n')
    .map((line) => `    ${line}`);
  const head = [
    'enforcement:',
    '  - id: the-rule',
    `    kind: ${kind}`,
    '    reason: It is so decided.',
  ];
  return recordText({ front: [...head, ...lines, more.trimEnd()].filter(Boolean).join('\n') });
}

export const RECORD_PATH = 'docs/adr/0001-a-decision.md';

/** The result of a rule, which must be there. */
export function ruleOf(report: AdrReport, id = 'the-rule'): AdrRuleResult {
  const rule = report.records.flatMap((record) => record.rules).find((one) => one.id === id);
  if (!rule) {
    const problems = [...report.problems, ...report.records.flatMap((one) => one.problems)];
    throw new Error(`no rule ${id}: ${problems.map((one) => one.message).join('; ')}`);
  }
  return rule;
}

/** Where a rule found something, as `path:line`. */
export function placesOf(rule: AdrRuleResult): string[] {
  return rule.findings
    .map(({ place }) =>
      place ? `${place.path}${place.line === null ? '' : `:${place.line}`}` : '-',
    )
    .sort();
}

/** Everything that is wrong with the records themselves, as sentences. */
export function problemsOf(report: AdrReport): string[] {
  return [...report.problems, ...report.records.flatMap((record) => record.problems)].map(
    (problem) => problem.message,
  );
}
