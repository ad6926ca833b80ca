import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchSpec } from '../../protocol/launch.ts';
import { findEngine, probeEngine } from '../engines/registry.ts';
import { createRehearsalRepository } from '../engines/rehearsal/repository.ts';
import { collectSecrets } from '../guard/secrets.ts';
import { decideLaunchAllowed, findLimitsPath, readLimits } from '../limits.ts';
import { realDirectoryOf, type LaunchPorts, type PreparedCheckout } from './launcher.ts';

/** The machine as it is: its limits, engines and repositories. `root` holds checkouts and rehearsals. */
export function createLaunchPorts(root: string, env: NodeJS.ProcessEnv): LaunchPorts {
  return {
    findEngine,
    probe: (engine) => probeEngine(engine, env),
    decideAllowed: (launch, realDirectory) => decideLaunchAllowed(readLimits(findLimitsPath(env)), launch, realDirectory),
    prepare: async ({ sessionId, launch }) => {
      const directory = launch.directory ?? (await makeRehearsalRepository(join(root, 'rehearsals', sessionId)));
      return workInPlace(launch, realDirectoryOf(directory));
    },
    bringBack: async () => null,
    readSecrets: (engine) => collectSecrets(env, engine.secretVariables.map(String)),
  };
}

async function makeRehearsalRepository(directory: string): Promise<string> {
  if (existsSync(directory)) return directory;
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  await createRehearsalRepository(directory);
  return directory;
}

function workInPlace(launch: LaunchSpec, directory: string): PreparedCheckout {
  const events = [
    {
      type: 'checkout/prepared',
      mode: 'inPlace',
      directory,
      branch: null,
      baseCommit: null,
      included: [],
      fromUncommitted: launch.fromUncommitted,
    },
  ] as const;
  return { checkout: { directory }, directory, events: events.map((event) => ({ ...event, included: [] })) };
}
