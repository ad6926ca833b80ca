import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { type AdrReport, adrReport } from '../../protocol/adr-report.ts';
import { runAdr } from '../../tools/adr/cli/program.ts';

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

export type Printed = { exitCode: number; stdout: string; stderr: string };

/** A git repository of its own, removed with `using`. */
export class AdrRepository {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'adr-repository-')));

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main');
  }

  git(...args: readonly string[]): string {
    const options = { cwd: this.root, env: GIT_ENV, encoding: 'utf8' as const };
    return execFileSync('git', args, options);
  }

  write(path: string, content: string | Uint8Array): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  /** Copies a directory over the work tree. */
  lay(directory: string): void {
    cpSync(directory, this.root, { recursive: true });
  }

  commit(message = 'A change'): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
  }

  /** Runs a command line of the tool in this process, at the root. */
  async adr(...args: readonly string[]): Promise<Printed> {
    const printed = { stdout: '', stderr: '' };
    const keep = (stream: 'stdout' | 'stderr') =>
      vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
        printed[stream] += String(chunk);
        return true;
      });
    const spies = [keep('stdout'), keep('stderr')];
    try {
      const exitCode = await runAdr([...args, '--root', this.root]);
      return { exitCode, ...printed };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** The report of a check, read back from what it printed. */
  async check(...args: readonly string[]): Promise<AdrReport> {
    const { stdout, stderr } = await this.adr('check', '--format', 'json', ...args);
    if (stdout === '') throw new Error(`the check printed no report: ${stderr}`);
    return adrReport.parse(JSON.parse(stdout));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The rules of a report that are in a state, by kind. */
export const kindsIn = (report: AdrReport, state: string): string[] =>
  report.records
    .flatMap((record) => record.rules)
    .filter((rule) => rule.state === state)
    .map((rule) => rule.kind);
