import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineReadiness } from '../../protocol/machine.ts';
import { createApi } from './api.ts';

const POLL_MS = 200;

/**
 * The engines that the local runner reports; null when it says nothing within `waitMs`. A Worker
 * that does not answer just now is asked again: what is running must not end over its summary.
 */
export async function awaitEngines(
  url: string,
  token: string,
  runnerId: string,
  waitMs: number,
): Promise<EngineReadiness[] | null> {
  const api = createApi(url, token);
  for (const until = Date.now() + waitMs; Date.now() < until; await sleep(POLL_MS)) {
    const runners = await api.listRunners().catch(() => []);
    const runner = runners.find((candidate) => candidate.runnerId === runnerId);
    // A runner says hello first and what its engines need a moment later.
    const engines = runner?.presence === 'online' ? runner.machine?.engines : undefined;
    if (engines && engines.length > 0) return engines;
  }
  return null;
}
