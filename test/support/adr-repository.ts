import { cpSync } from 'node:fs';
import { vi } from 'vitest';
import { type AdrReport, adrReport } from '../../protocol/adr-report.ts';
import { runAdr } from '../../tools/adr/cli/program.ts';
import { copyRepository, makeRepository, type Repository } from './decision-repository.ts';

export type Printed = { exitCode: number; stdout: string; stderr: string };

/** A repository of its own with the command line of the tool, removed with `using`. */
export class AdrRepository {
  readonly #repository: Repository;
  readonly root: string;
  readonly git: Repository['git'];

  constructor(repository = makeRepository()) {
    this.#repository = repository;
    this.root = repository.root;
    this.git = repository.git;
  }

  /** Another repository with the files and the history of one. */
  static copyOf(first: AdrRepository): AdrRepository {
    return new AdrRepository(copyRepository(first.root));
  }

  write(path: string, content: string | Uint8Array): void {
    this.#repository.writeBytes(path, Buffer.from(content));
  }

  /** Copies a directory over the work tree. */
  lay(directory: string): void {
    cpSync(directory, this.root, { recursive: true });
  }

  commit(message = 'A change'): void {
    this.#repository.commit(message);
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
    this.#repository.dispose();
  }
}

/** The rules of a report that are in a state, by kind. */
export const kindsIn = (report: AdrReport, state: string): string[] =>
  report.records
    .flatMap((record) => record.rules)
    .filter((rule) => rule.state === state)
    .map((rule) => rule.kind);
