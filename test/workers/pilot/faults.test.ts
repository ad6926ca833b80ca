import { env } from 'cloudflare:workers';
import { asc, eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { LOCAL_ACCOUNT, LOCAL_ACTOR, sessionId, turnId } from '../../../protocol/ids.ts';
import { isPilotOver, type PilotAsk } from '../../../protocol/pilot.ts';
import { type Database, openDatabase } from '../../../workers/db/client.ts';
import { pilotDecisions, pilotSteps } from '../../../workers/db/schema.ts';
import { advance, type DriverPorts } from '../../../workers/pilot/advance.ts';
import { begin } from '../../../workers/pilot/core/begin.ts';
import { decide } from '../../../workers/pilot/core/decide.ts';
import type { PilotEvent } from '../../../workers/pilot/core/state.ts';
import { applyEvent, readRun, registerRun } from '../../../workers/pilot/store.ts';
import { startEmpty } from '../support/http.ts';
import { MACHINE_ID, PilotWorld } from '../support/pilot-world.ts';

/** A slice in every build; `npm run test:pilot-faults` runs hundreds. */
const RUNS = Number(env.PILOT_FAULT_RUNS);
const FIRST_SEED = Number(env.PILOT_FAULT_SEED);

/** mulberry32: the same faults for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Crash extends Error {}

/** Calls that die before or after they took effect, as a process does. */
function dying<T extends object>(target: T, random: () => number, names: readonly string[]): T {
  return new Proxy(target, {
    get(held, name) {
      const value: unknown = Reflect.get(held, name, held);
      if (typeof value !== 'function') return value;
      const bound = value.bind(held) as (...args: unknown[]) => unknown;
      if (!names.includes(String(name))) return bound;
      return async (...args: unknown[]) => {
        if (random() < 0.08) throw new Crash(`before ${String(name)}`);
        const result = await bound(...args);
        if (random() < 0.08) throw new Crash(`after ${String(name)}`);
        return result;
      };
    },
  });
}

function portsOf(world: PilotWorld, database: Database, random: () => number): DriverPorts {
  const tools = {
    runCheck: async (check: { title: string; check: string }) => {
      if (random() < 0.1) throw new PilothouseError('runner_offline');
      const passed = world.progress >= world.goal;
      const tail = `${world.progress} of ${world.goal}: ${'x'.repeat(world.progress)}`;
      return {
        title: check.title,
        command: check.check,
        passed,
        exitCode: passed ? 0 : 1,
        durationMs: 1,
        tail,
      };
    },
    readRecord: async () => [],
    openKey: () => Promise.reject(new PilothouseError('brain_key_not_found')),
    askEngine: () => Promise.reject(new PilothouseError('brain_engine_unable')),
    reserveCall: async () => undefined,
    releaseCall: async () => undefined,
    recordUsage: async () => undefined,
    nowMs: () => world.nowMs,
  };
  return {
    database: dying(database, random, ['batch']),
    feed: () => dying(world.feed, random, ['readView', 'instruct', 'request', 'listEntries']),
    tools: () => dying(tools, random, ['runCheck']),
    beginAnew: (_, after) => dying(world, random, ['beginAnew']).beginAnew(after),
    withdraw: async () => false,
    ring: async () => undefined,
    nowMs: () => world.nowMs,
  };
}

/** What a person may do in the middle; refused wishes change nothing. */
function someAsk(random: () => number, step: number): PilotAsk {
  const asks: PilotAsk[] = [
    { action: 'pause' },
    { action: 'resume' },
    { action: 'resume' },
    { action: 'objective', objective: 'Reach it now' },
    { action: 'confirm', step },
    { action: 'confirm', step, instruction: 'Go on' },
  ];
  return asks[Math.floor(random() * asks.length)] ?? { action: 'pause' };
}

/** Drives one run through its faults until it is over or nobody but a person can go on. */
async function drive(world: PilotWorld, database: Database, random: () => number): Promise<void> {
  const ports = portsOf(world, database, random);
  const calm = { ...ports, database };
  for (let round = 0; round < 400; round++) {
    world.nowMs += Math.floor(random() * 40_000);
    if (random() < 0.6) world.work();
    // Two drivers at once: a duplicate that was started while the first was thought dead.
    const drivers = random() < 0.15 ? 2 : 1;
    const keys = Array.from({ length: drivers }, (_, index) => `wait-${round}-${index}`);
    const done = await Promise.allSettled(keys.map((key) => advance(ports, world.sessionId, key)));
    for (const each of done)
      if (each.status === 'rejected' && !(each.reason instanceof Crash)) throw each.reason;
    const run = await readRun(database, world.sessionId);
    if (run !== null && run.finishedAt !== null) return;
    const state = run?.state;
    if (!run || !state) continue;
    const stands = state.status === 'waiting_person' || state.status === 'paused';
    if (stands ? random() < 0.7 : random() < 0.03) {
      const event = {
        type: 'asked',
        at: world.nowMs,
        actorId: LOCAL_ACTOR,
        ask: someAsk(random, state.step),
      } as const;
      await applyEvent(calm.database, { ...run, state }, event);
    }
  }
}

beforeAll(startEmpty);

const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);

it.each(seeds)(
  'seed %i: every turn at most once, a record that says it all, an end or a stated wait',
  async (seed) => {
    const random = randomOf(seed);
    const id = sessionId.parse(`ses_fault${seed}`);
    const first = turnId.parse(`trn_fault${seed}`);
    const mode = random() < 0.3 ? 'co_pilot' : 'pilot';
    // A conversation is long after three turns: where it is begun anew, its work takes more.
    const beginsAnew = seed % 2 === 0;
    const more = beginsAnew ? 4 : 0;
    const maxTurns = 2 + Math.floor(random() * 6) + more;
    const steps = [{ title: 'Reached', check: 'test reached' }];
    const pilot = {
      mode,
      brain: { kind: 'checklist', steps },
      bounds: { maxTurns, ...(beginsAnew && { stallTurns: 9 }) },
      beginsAnew,
    };
    const world = new PilotWorld(id, first, random, pilot, more);
    const database = openDatabase(env.DB);
    const owner = {
      sessionId: id,
      accountId: LOCAL_ACCOUNT,
      actorId: LOCAL_ACTOR,
      runnerId: MACHINE_ID,
    };
    await registerRun(database, owner, world.nowMs);
    await drive(world, database, random);

    for (const [served, texts] of world.served) expect([served, texts.length]).toEqual([served, 1]);
    expect(world.served.size).toBeLessThanOrEqual(maxTurns);
    expect([...world.anew.values()].filter((times) => times > 1)).toEqual([]);
    expect(world.view.spend.reported?.microUsd ?? 0).toBe(world.spent);

    const run = await readRun(database, id);
    const rows = await database
      .select()
      .from(pilotSteps)
      .where(eq(pilotSteps.sessionId, id))
      .orderBy(asc(pilotSteps.step));
    expect(rows.map(({ step }) => step)).toEqual(rows.map((_, index) => index + 1));
    const [opening, ...rest] = rows.map(({ event }) => JSON.parse(event) as PilotEvent);
    if (opening?.type !== 'began') throw new Error('a record begins with its beginning');
    expect(rest.reduce(decide, begin(opening))).toEqual(run?.state);
    const answers = rest.filter(
      ({ type }) => type === 'decided' || type === 'undecided' || type === 'unavailable',
    );
    const decisions = await database
      .select()
      .from(pilotDecisions)
      .where(eq(pilotDecisions.sessionId, id));
    expect(decisions).toHaveLength(answers.length);

    const state = run?.state;
    if (state?.status === 'finished') expect(world.progress).toBeGreaterThanOrEqual(world.goal);
    const stated = state?.effect?.do === 'await' || isPilotOver(state?.status ?? 'deciding');
    expect({ stated, status: state?.status, reason: state?.reason }).toMatchObject({
      stated: true,
    });
  },
);
