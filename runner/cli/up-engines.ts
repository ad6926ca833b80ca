import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineReadiness } from '../../protocol/machine.ts';
import { createApi } from './api.ts';

/** How long the summary waits for the runner's first word. */
const WAIT_MS = 10_000;

/** The engines that the local runner reports; null when it says nothing in time. */
export async function awaitEngines(
  url: string,
  token: string,
  runnerId: string,
): Promise<EngineReadiness[] | null> {
  const api = createApi(url, token);
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(100)) {
    const runner = (await api.listRunners()).find((candidate) => candidate.runnerId === runnerId);
    // A runner says hello first and what its engines need a moment later.
    const engines = runner?.presence === 'online' ? runner.machine?.engines : undefined;
    if (engines && engines.length > 0) return engines;
  }
  return null;
}
