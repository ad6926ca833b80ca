import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Logs of closed sessions that are kept, the newest. */
const LOGS_MAX = 200;
/** Commands on their way are done with after a day, in ms. */
const RUN_MAX_AGE_MS = 24 * 60 * 60_000;

/** Writes what a session showed at its end, whole or not at all. Answers where. */
export function archiveLog(root: string, name: string, text: string, nowMs: number): string {
  const directory = join(root, 'logs');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  // Names of sessions are checked when they are made, and can be changed afterwards.
  const path = join(directory, `${time}-${name.replaceAll(/[^\w-]/g, '_').slice(0, 60)}.log`);
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  const oldest = readdirSync(directory).toSorted().slice(0, -LOGS_MAX);
  for (const file of oldest) rmSync(join(directory, file), { force: true });
  return path;
}

/** Removes the files of commands that nobody waits for any more. */
export function pruneRuns(root: string, nowMs: number): number {
  const directory = join(root, 'runs');
  const names = listNames(directory).filter((name) => {
    const modified = statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs;
    return modified !== undefined && nowMs - modified > RUN_MAX_AGE_MS;
  });
  for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  return names.length;
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Nothing was ever run.
    return [];
  }
}
