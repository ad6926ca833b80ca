import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { SourceFile } from './source-files.ts';

/** Path of a migration to the SHA-256 of its text. */
export type Checksums = Record<string, string>;

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export function checksumsOf(files: readonly SourceFile[]): Checksums {
  return Object.fromEntries(files.map((file) => [file.path, checksumOf(file.text)]));
}

/** What was recorded and is now different or gone. Adding is the only change there is. */
export function findRewritten(recorded: Checksums, now: Checksums): string[] {
  return Object.entries(recorded)
    .filter(([path, sum]) => now[path] !== sum)
    .map(([path]) => path);
}

/** Numbers count from zero by one, so that two branches cannot both own one. */
export function findMisnumbered(paths: readonly string[]): string[] {
  const names = paths.map((path) => path.split('/').at(-1) ?? '').toSorted();
  return names.filter((name, index) => !name.startsWith(`${String(index).padStart(4, '0')}_`));
}

/**
 * Each migration as it was first committed, as far as this clone knows its history: a shallow
 * clone knows less, which is why the recorded checksums are compared as well.
 */
export function readHistory(cwd = '.'): { commits: number; first: Checksums } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const commits = git('rev-list', '--reverse', 'HEAD', '--', 'migrations/*.sql')
    .split('\n')
    .filter(Boolean);
  const first: Checksums = {};
  for (const commit of commits) {
    const names = git('ls-tree', '-r', '--name-only', commit, 'migrations/').split('\n');
    for (const path of names.filter((name) => name.endsWith('.sql'))) {
      first[path] ??= checksumOf(git('show', `${commit}:${path}`));
    }
  }
  return { commits: commits.length, first };
}
