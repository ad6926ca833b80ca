import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { launch } from './paths.ts';

/** Launches under way at once: each starts a process, and the machine has other things to do. */
const LAUNCHES = 4;
/** How long everything rests before it is looked at, in ms. */
export const REST_MS = 5_000;

/** Resident memory in bytes. */
export type Memory = { runner: number; workerd: number };
export type MemoryReport = { sessions: number; before: Memory; after: Memory };

export const SHORT_TURN = {
  turns: [
    [
      { do: 'text' as const, text: 'A short answer, and then nothing more to do.' },
      { do: 'usage' as const, inputTokens: 100, outputTokens: 20, costUsd: 0.01 },
    ],
  ],
};

/** Reads the resident memory of a process by `ps`, which Linux and macOS answer alike. */
function readResidentBytes(pidFile: string): number {
  const pid = readFileSync(pidFile, 'utf8').trim();
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', pid], { encoding: 'utf8' });
  return Number(kilobytes.trim()) * 1024;
}

async function readMemory({ layout }: RehearsalWorld): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    runner: readResidentBytes(layout.runnerPidFile),
    workerd: readResidentBytes(layout.workerdPidFile),
  };
}

/**
 * What runner and Worker hold with no session, and with many that have finished a turn and wait
 * for the next instruction. The engines themselves are in no figure.
 */
export async function measureMemory(sessions: number): Promise<MemoryReport> {
  const world = await RehearsalWorld.start(SHORT_TURN);
  try {
    const before = await readMemory(world);
    const queue = Array.from({ length: sessions }, (_, index) =>
      join(world.home, 'idle', String(index)),
    );
    const work = async () => {
      for (let directory = queue.pop(); directory; directory = queue.pop()) {
        mkdirSync(directory, { recursive: true });
        await launch(world, directory, 'idle');
      }
    };
    await Promise.all(Array.from({ length: LAUNCHES }, work));
    return { sessions, before, after: await readMemory(world) };
  } finally {
    await world.stop();
  }
}
