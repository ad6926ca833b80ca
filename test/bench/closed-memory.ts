import { readFileSync } from 'node:fs';
import { listProcesses } from '../../runner/process/process-table.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { REST_MS, SHORT_TURN } from './memory.ts';
import { launch } from './paths.ts';

/** Proportional memory (PSS) in bytes: what processes share is divided among them. */
export type ClosedMemoryReport = {
  sessions: number;
  /** What leads the ports of the sessions out of their networks. */
  bridges: number;
  /** bubblewrap, two processes a session. */
  seals: number;
  /** The one proxy of the machine. */
  proxy: number;
};

type Seen = { words: readonly string[]; pss: number };

/** The processes of one installation, engines and all. */
function readProcesses(home: string): Seen[] {
  return listProcesses().flatMap(({ pid }) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      // A bridge has no environment: it is told by its parent's room.
      const isOurs = environment.includes(home) || words.some((word) => word.includes(home));
      const isBridge = words.some((word) => word.startsWith('/run/ports/bridge.'));
      if (!isOurs && !isBridge) return [];
      const [, kilobytes = '0'] =
        /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      return [{ words, pss: Number(kilobytes) * 1024 }];
    } catch {
      // It ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

const sum = (all: readonly Seen[], is: (words: readonly string[]) => boolean): number =>
  all.filter(({ words }) => is(words)).reduce((total, { pss }) => total + pss, 0);

/**
 * What stands beside idle sessions that are kept to their model, at each number of them; nothing
 * where this machine cannot have any. Bridges of other installations on the machine would be
 * counted too: it is measured alone.
 */
export async function measureClosedMemory(
  sizes: readonly number[],
): Promise<readonly ClosedMemoryReport[]> {
  const { problem, networkProblem } = probeSeal(process.env);
  if (problem !== null || networkProblem !== null) {
    console.error(`bench: ${problem ?? networkProblem}`);
    return [];
  }
  const world = await RehearsalWorld.start(SHORT_TURN);
  try {
    const reports: ClosedMemoryReport[] = [];
    let launched = 0;
    for (const sessions of sizes) {
      for (; launched < sessions; launched++)
        await launch(world, world.repository, 'idle', {
          checkout: 'own',
          grade: 'sealed',
          network: 'model-only',
        });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const seen = readProcesses(world.home);
      const isBridge = (words: readonly string[]) =>
        words.some((word) => word.startsWith('/run/ports/bridge.'));
      const bridges = seen.filter(({ words }) => isBridge(words) && !isSeal(words));
      if (bridges.length !== sessions)
        throw new Error(`${bridges.length} bridges stand beside ${sessions} sessions`);
      reports.push({
        sessions,
        bridges: sum(bridges, () => true),
        seals: sum(seen, isSeal),
        proxy: sum(seen, (words) => words.some((word) => word.endsWith('runner/egress/main.ts'))),
      });
    }
    return reports;
  } finally {
    await world.stop();
  }
}

const isSeal = ([program = '']: readonly string[]): boolean => program.endsWith('/bwrap');
