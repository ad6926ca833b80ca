import { env } from 'cloudflare:workers';
import { LOCAL_ACCOUNT, type SessionId } from '../../../../protocol/ids.ts';
import { openDatabase } from '../../../../workers/db/client.ts';
import { advance, type DriverPorts } from '../../../../workers/pilot/advance.ts';
import { instanceOf, signal } from '../../../../workers/pilot/drivers.ts';
import { portsOf } from '../../../../workers/pilot/ports.ts';
import { readRun } from '../../../../workers/pilot/store.ts';
import type { Chance } from './chance.ts';

const OVER: ReadonlySet<string> = new Set(['errored', 'terminated', 'complete']);

/** Ends whoever drives the run, in the middle of whatever it does. */
export async function killDriver(sessionId: SessionId): Promise<void> {
  const run = await readRun(openDatabase(env.DB), sessionId);
  if (!run) return;
  const driver = await env.PILOT.get(instanceOf(run)).catch(() => null);
  // It may end by itself in this very moment.
  if (driver && !OVER.has((await driver.status()).status))
    await driver.terminate().catch(() => undefined);
}

/** What the end of a driver's own sleep does, whose clock nobody can move. */
export async function wakeDriver(sessionId: SessionId): Promise<void> {
  const run = await readRun(openDatabase(env.DB), sessionId);
  if (run) await signal(env, run).catch(() => undefined);
}

let twins = 0;

/**
 * A second driver that was begun while the first was thought dead, and dies itself before or after
 * one of its calls. Where it took the place of the first to wait in, the first is gone too.
 */
export async function twin(sessionId: SessionId, chance: Chance): Promise<void> {
  const ports = dyingPorts(portsOf(env, LOCAL_ACCOUNT), chance);
  for (let round = 0; round < 4; round++) {
    const next = await advance(ports, sessionId, `twin-${++twins}`).catch(() => null);
    if (next?.kind === 'again') continue;
    if (next?.kind !== 'over') await killDriver(sessionId);
    return;
  }
}

function dyingPorts(ports: DriverPorts, chance: Chance): DriverPorts {
  const dies = (when: string) => {
    if (chance.happens(`twin ${when}`, 0.12)) throw new Error(`the driver died ${when}`);
  };
  return {
    ...ports,
    feed: (run) => {
      const feed = ports.feed(run);
      return {
        readView: () => feed.readView(),
        listEntries: (after, limit) => feed.listEntries(after, limit),
        brain: (input) => feed.brain(input),
        request: (input) => feed.request(input),
        async instruct(input) {
          dies('before it instructs');
          const told = await feed.instruct(input);
          dies('after it instructed');
          return told;
        },
      };
    },
    tools(run) {
      const tools = ports.tools(run);
      return {
        ...tools,
        async runCheck(check, index) {
          dies('before a check');
          const found = await tools.runCheck(check, index);
          dies('after a check');
          return found;
        },
      };
    },
  };
}
