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
/** How often a process is looked at whose end nobody tells, and one whose end is told, in ms. */
const LOOK_EVERY_MS = 250;
const LOOK_SELDOM_MS = 1_000;

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
 * Waits for a process that answers, our own child, which tells that it `exited`, or an earlier
 * runner's, and ends it at its time, when it writes without end, or when `signal` says so. Nothing
 * of it runs afterwards.
 */
export async function awaitAnswer(
  { identity, paths, sealed, deadlineAt }: AskProcess,
  marker: string,
  signal: AbortSignal,
  { timings, exited }: { timings?: TerminateTimings | undefined; exited?: Promise<unknown> } = {},
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
    const wait = Math.min(deadlineAt - Date.now(), exited ? LOOK_SELDOM_MS : LOOK_EVERY_MS);
    await restFor(Math.max(0, wait), signal, exited);
  }
}

/** Rests so long, in ms, or until the signal or the end of the process that is told. */
async function restFor(ms: number, signal: AbortSignal, exited?: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const rested = delay(ms, undefined, { signal: either }).catch(() => undefined);
  await Promise.race(exited ? [rested, exited] : [rested]);
  over.abort();
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
