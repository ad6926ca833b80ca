import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AsidePlan, EngineExit } from '../engines/engine.ts';
import { Descendants, standOf } from '../process/descendants.ts';
import { readExitStatus } from '../process/exit-status.ts';
import { isRunning } from '../process/process-table.ts';
import type { SpoolPaths } from '../process/spawn.ts';
import { capStderr, readStderrTail } from '../process/stderr.ts';
import { terminateLeftovers, terminateTree, type TerminateTimings } from '../process/terminate.ts';
import type { AskProcess } from './ask-store.ts';

/** An answer is short: an engine that writes more than this is at something else, in bytes. */
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;
const LOOK_EVERY_MS = 50;

/** Makes an empty directory for a question, with the files that the engine needs in it. */
export function makePlace(directory: string, { files = {} }: Pick<AsidePlan, 'files'>): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(directory, name), text, { mode: 0o600 });
}

/** Why a process was ended by us. */
export type Ended = 'late' | 'stopped' | 'too_long';

/**
 * Waits for a process that answers, our own child or an earlier runner's, and ends it at its time,
 * when it writes without end, or when `signal` says so. Nothing of it runs afterwards.
 */
export async function awaitAnswer(
  { identity, paths, sealed, deadlineAt }: AskProcess,
  marker: string,
  signal: AbortSignal,
  timings?: TerminateTimings,
): Promise<Ended | null> {
  const family = new Descendants(identity, marker, [], standOf({ kept: true, sealed }));
  for (;;) {
    if (!isRunning(identity)) {
      await terminateLeftovers(family);
      return null;
    }
    const ended = endOf(paths, deadlineAt, signal);
    if (ended) {
      await terminateTree(family, timings);
      return ended;
    }
    await delay(LOOK_EVERY_MS);
  }
}

function endOf({ out, err }: SpoolPaths, deadlineAt: number, signal: AbortSignal): Ended | null {
  if (signal.aborted) return 'stopped';
  if (Date.now() >= deadlineAt) return 'late';
  capStderr(err);
  const size = statSync(out, { throwIfNoEntry: false })?.size ?? 0;
  return size > OUTPUT_MAX_BYTES ? 'too_long' : null;
}

/** What a process said until its end. Its files go with this: raw words of an engine stay nowhere. */
export function takeOutput(
  { paths }: Pick<AskProcess, 'paths'>,
  ended: Ended | null,
): { lines: string[]; exit: EngineExit } {
  const size = statSync(paths.out, { throwIfNoEntry: false })?.size ?? 0;
  const text = size > 0 && size <= OUTPUT_MAX_BYTES ? readFileSync(paths.out, 'utf8') : '';
  const status = readExitStatus(paths.exit) ?? { exitCode: null, signal: null };
  const exit = { ...status, expected: ended !== null, stderrTail: readStderrTail(paths.err) };
  for (const path of Object.values(paths)) rmSync(path, { force: true });
  return { lines: text.split('\n').filter((line) => line.trim() !== ''), exit };
}
