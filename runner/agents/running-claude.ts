import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { readProcess } from '../process/process-table.ts';
import { readPart } from '../process/read-part.ts';

/** The most of such a file that is read, in bytes: it is a few hundred. */
const FILE_BYTES = 64 * 1024;

/** A claude that runs in a terminal, as it tells of itself. */
export type RunningClaude = {
  sessionId: string;
  /** Directory with the conversations of every project. */
  projects: string;
  /** `idle`, `busy`, or `waiting` for a person; null where this version does not tell. */
  status: string | null;
  /** Since when, Unix ms. */
  statusAt: number | null;
};

const sessionFile = z.looseObject({
  pid: z.int(),
  sessionId: z.uuid(),
  /** Ticks from the machine's start to the process's. */
  procStart: z.string(),
  status: z.string().nullish(),
  statusUpdatedAt: z.int().nullish(),
});

/**
 * Reads what a claude keeps of itself in `sessions/PID.json` of its directory while it runs: its
 * conversation, and whether it asks something. Null for any other process, for a file that a
 * former process of this pid left behind, and for versions without one.
 * Source: written so by 2.1.332, seen at its prompt, in a turn, and with each kind of dialog open;
 * 2.1.197 writes none.
 */
export async function readRunningClaude(pid: number): Promise<RunningClaude | null> {
  const directory = directoryOf(pid);
  const ticks = readProcess(pid)?.startedAt.split(':')[1];
  if (directory === null || ticks === undefined) return null;
  const path = join(directory, 'sessions', `${pid}.json`);
  const file = await readPart(path, (size) => (size > FILE_BYTES ? null : { from: 0, to: size }));
  const parsed = sessionFile.safeParse(parseJson(file?.text ?? ''));
  if (!parsed.success || parsed.data.pid !== pid || parsed.data.procStart !== ticks) return null;
  const { sessionId, status, statusUpdatedAt } = parsed.data;
  return {
    sessionId,
    projects: join(directory, 'projects'),
    status: status ?? null,
    statusAt: statusUpdatedAt ?? null,
  };
}

/** How long it has to say that it is idle before nothing can still be on its way to the screen, in ms. */
const IDLE_MS = 500;

/** Whether it is known to wait for words and to ask nothing; whatever it does not tell is a no. Pure. */
export const asksNothing = (running: RunningClaude | null, nowMs: number): boolean =>
  running?.status === 'idle' && running.statusAt !== null && nowMs - running.statusAt >= IDLE_MS;

/** Where it keeps what it knows, by its own environment. */
function directoryOf(pid: number): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const valueOf = (name: string) =>
      variables.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
    const home = valueOf('HOME');
    return valueOf('CLAUDE_CONFIG_DIR') ?? (home ? join(home, '.claude') : null);
  } catch {
    // It has ended, belongs to somebody else, or the system has no such files.
    return null;
  }
}
