import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStatus } from '../../../protocol/run-report.ts';
import { EXIT, type ExitCode, Failure } from '../../failure.ts';

/** Between two looks, in ms: soon at first, and seldom in a run of hours. */
const FIRST_LOOK_MS = 500;
const LAST_LOOK_MS = 5_000;

/** How a script learns of a standing. A run that is not over is no success. */
export const STANDING_EXIT = {
  done: EXIT.ok,
  failed: EXIT.failed,
  needs_person: EXIT.waiting,
  starting: EXIT.working,
  working: EXIT.working,
  unproven: EXIT.unproven,
} as const satisfies Record<RunStatus['standing'], ExitCode>;

/**
 * Looks until a run is over or needs a person. An instance that is away is waited for, since a run
 * goes on without it; `say` tells of that once.
 */
export async function awaitStanding(
  read: () => Promise<RunStatus>,
  say: (words: string) => void,
): Promise<RunStatus> {
  let away = false;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 1.5, LAST_LOOK_MS)) {
    try {
      const status = await read();
      away = false;
      if (STANDING_EXIT[status.standing] !== EXIT.working) return status;
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.unreachable) throw error;
      if (!away) say('Nothing answers; waiting until it is back …\n');
      away = true;
    }
    await sleep(waitMs);
  }
}
