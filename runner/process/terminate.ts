import { setTimeout as delay } from 'node:timers/promises';
import { systemCodeOf } from '../failure.ts';
import { Descendants, NOBODY } from './descendants.ts';
import {
  isRunning,
  listProcesses,
  type ProcessIdentity,
  type ProcessRow,
} from './process-table.ts';

export type TerminateTimings = {
  /** From the end of its input to SIGTERM, where it has one. */
  inputMs: number;
  /** From SIGTERM to SIGKILL. */
  termMs: number;
};

export const TERMINATE_TIMINGS: TerminateTimings = { inputMs: 1_500, termMs: 2_000 };

/** For what an engine that is gone left behind, which has nothing to write down. */
const LEFTOVER_TERM_MS = 500;
const LOOK_EVERY_MS = 20;
/** Against a process that starts others faster than they are ended. */
const MAX_ROUNDS = 50;

/**
 * Ends an engine and everything that came from it: SIGTERM, then its descendants, then SIGKILL,
 * until none is left. Ending the process group is not enough, because engines start their tools
 * in sessions of their own. `endInput` comes first where there is such an end, as of a terminal:
 * an engine's own input is whole from its beginning or never ends. Returns who would not die.
 */
export async function terminateTree(
  family: Descendants,
  timings: TerminateTimings = TERMINATE_TIMINGS,
  endInput: (() => void) | null = null,
): Promise<ProcessIdentity[]> {
  family.hunt();
  endInput?.();
  if (endInput) await waitUntilGone([family.root], timings.inputMs);
  if (isRunning(family.root)) {
    signalEngine(family, 'SIGTERM');
    await waitUntilGone([family.root], timings.termMs);
  }
  const orphans = family.hunt();
  for (const identity of orphans) signal(identity, 'SIGTERM');
  if (orphans.length > 0) await waitUntilGone(orphans, timings.termMs);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const rest = family.hunt();
    if (rest.length === 0) return [];
    // Last the one that waits for the engine: it keeps how that ended.
    const others = family.stand.kept ? rest.filter(({ pid }) => pid !== family.root.pid) : rest;
    for (const identity of others.length > 0 ? others : rest) signal(identity, 'SIGKILL');
    await waitUntilGone(rest, LOOK_EVERY_MS * 5);
  }
  return family.hunt();
}

/** Ends what an engine that is already gone left behind. */
export async function terminateLeftovers(
  family: Descendants,
  termMs = LEFTOVER_TERM_MS,
): Promise<ProcessIdentity[]> {
  return terminateTree(family, { inputMs: 0, termMs });
}

/** Ends whatever carries the mark of a session that has no engine. */
export async function endLeftovers(
  marker: string,
  termMs = LEFTOVER_TERM_MS,
): Promise<ProcessIdentity[]> {
  return terminateLeftovers(new Descendants(NOBODY, marker), termMs);
}

/** Signals the engine itself, whatever stands around it. */
export function signalEngine({ root, stand }: Descendants, name: Signal): void {
  const table = stand.depth > 0 && isRunning(root) ? listProcesses() : [];
  signal(decideEngine(table, root, stand.depth), name);
}

/**
 * Decides which process is the engine: below each that stands around it, the one that was
 * started first, since a seal's own first process inherits what tools leave behind. Pure.
 */
export function decideEngine(
  table: readonly ProcessRow[],
  root: ProcessIdentity,
  depth: number,
): ProcessIdentity {
  let engine = root;
  for (let level = 0; level < depth; level++) {
    const children = table.filter((row) => row.parent === engine.pid && !row.zombie);
    const [first] = children.toSorted((a, b) => ticksOf(a) - ticksOf(b) || a.pid - b.pid);
    if (!first) break;
    engine = first;
  }
  return engine;
}

const ticksOf = ({ startedAt }: ProcessIdentity): number => Number(startedAt.split(':').at(-1));

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

/** Signals exactly the process that was identified, never a later one of the same pid. */
function signal(identity: ProcessIdentity, name: Signal): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    // Gone meanwhile, or become another user's: the caller sees who is left.
    const code = systemCodeOf(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

async function waitUntilGone(
  identities: readonly ProcessIdentity[],
  boundMs: number,
): Promise<void> {
  const until = Date.now() + boundMs;
  while (identities.some(isRunning) && Date.now() < until) await delay(LOOK_EVERY_MS);
}
