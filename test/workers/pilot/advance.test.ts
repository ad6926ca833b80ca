import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, LOCAL_ACTOR, launchId, sessionId, turnId } from '../../../protocol/ids.ts';
import type { ErrorCode, ErrorContext } from '../../../protocol/errors.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { refuse, succeed } from '../../../workers/lib/outcome.ts';
import type { PilotAsk } from '../../../protocol/pilot.ts';
import { advance, type DriverPorts } from '../../../workers/pilot/advance.ts';
import { questionOf } from '../../../workers/pilot/core/state.ts';
import { applyEvent, readRun, registerRun } from '../../../workers/pilot/store.ts';
import { anEvidence, someTools } from '../../support/pilot-builders.ts';
import { startEmpty } from '../support/http.ts';
import { MACHINE_ID, PilotWorld } from '../support/pilot-world.ts';

beforeAll(startEmpty);

const PILOT = {
  mode: 'pilot',
  brain: { kind: 'checklist', steps: [{ title: 'Tests', check: 'npm test' }] },
  bounds: { maxWallMs: 48 * 3_600_000 },
};

/** The run of a session whose provider refused its launch, once it was to be launched again. */
async function retried(name: string, refusal: { code: ErrorCode; context?: ErrorContext }) {
  const id = sessionId.parse(`ses_${name}`);
  const world = new PilotWorld(id, turnId.parse(`trn_${name}`), () => 0.5, PILOT);
  world.write({
    type: 'launch/failed',
    launchId: launchId.parse('lau_1'),
    state: 'provider_failed',
    stage: 'bootstrap_submitted',
    error: { code: 'overloaded', message: 'Too much.' },
    elapsedMs: 1,
    stderrTail: [],
  });
  const database = openDatabase(env.DB);
  const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR, runnerId: MACHINE_ID };
  await registerRun(database, { ...owner, sessionId: id }, world.nowMs);
  const ports = {
    database,
    feed: () => ({ ...world.feed, request: async () => refuse(refusal.code, refusal.context) }),
    tools: () => someTools(),
    beginAnew: async () => succeed(null),
    withdraw: async () => false,
    ring: async () => undefined,
    nowMs: () => world.nowMs,
  };
  for (let step = 0; step < 8; step++) {
    const done = (await readRun(database, id))?.state?.effect?.do === 'revive';
    await advance(ports, id, `wait-${step}`);
    if (done) break;
    world.nowMs += 61_000;
  }
  return { state: (await readRun(database, id))?.state, nowMs: world.nowMs };
}

it('a conversation that a budget holds back is launched again once the budget renews', async () => {
  const context = { renewsAt: 40_000_000, heldByTurns: false, detail: 'Nothing is left.' };
  const { state } = await retried('renews', { code: 'budget_exhausted', context });
  expect(state).toMatchObject({
    status: 'waiting_until',
    effect: { do: 'await', until: 40_000_000 },
  });
  expect(state?.reason).toContain('Nothing is left.');
});

it('asks again in a minute where only turns under way hold the rest', async () => {
  const context = { renewsAt: null, heldByTurns: true };
  const { state, nowMs } = await retried('held', { code: 'budget_exhausted', context });
  expect(state).toMatchObject({
    status: 'waiting_until',
    effect: { do: 'await', until: nowMs + 60_000 },
  });
});

it('asks a person about a budget that never renews', async () => {
  const context = { renewsAt: null, heldByTurns: false };
  const { state } = await retried('never', { code: 'budget_exhausted', context });
  expect(state).toMatchObject({ status: 'waiting_person', hold: 'gone' });
});

it('follows a conversation that a person has launched meanwhile', async () => {
  const { state } = await retried('meanwhile', { code: 'nothing_to_retry' });
  expect(state).toMatchObject({ status: 'waiting_turn', hold: null });
});

it('tells a person of a proposal each time it comes to wait for them, and of nothing else', async () => {
  const id = sessionId.parse('ses_rings');
  const pilot = { ...PILOT, mode: 'co_pilot' };
  const world = new PilotWorld(id, turnId.parse('trn_rings'), () => 0.5, pilot);
  const database = openDatabase(env.DB);
  const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR, runnerId: MACHINE_ID };
  await registerRun(database, { ...owner, sessionId: id }, world.nowMs);
  const rung: string[] = [];
  world.work();
  const ports = {
    database,
    feed: () => world.feed,
    tools: () => someTools(),
    beginAnew: async () => succeed(null),
    withdraw: async () => false,
    ring: async ({ state }: { state: { hold: string | null; step: number } }) => {
      rung.push(`${state.hold} ${state.step}`);
    },
    nowMs: () => world.nowMs,
  };
  for (let round = 0; round < 12; round++) await advance(ports, id, `wait-${round}`);
  const state = (await readRun(database, id))?.state;
  expect(state).toMatchObject({ status: 'waiting_person', hold: 'proposal' });
  // The same step again is the same tag, which rings once.
  expect(new Set(rung)).toEqual(new Set([`proposal ${state?.step}`]));
});

/** A run of some turns that is driven here, while a person wishes `ask` the first time it does `doing`. */
async function wishedWithin(name: string, doing: 'brain' | 'anew', ask: PilotAsk) {
  const id = sessionId.parse(`ses_${name}`);
  const spec = { ...PILOT, bounds: { ...PILOT.bounds, stallTurns: 9 }, beginsAnew: true };
  const world = new PilotWorld(id, turnId.parse(`trn_${name}`), () => 0.5, spec, 9);
  const database = openDatabase(env.DB);
  const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR, runnerId: MACHINE_ID };
  await registerRun(database, { ...owner, sessionId: id }, world.nowMs);
  const asked: string[] = [];
  let begunAnew = 0;
  const wish = async (first: boolean) => {
    const run = first ? await readRun(database, id) : null;
    if (!run?.state) return;
    const event = { type: 'asked', at: world.nowMs, actorId: LOCAL_ACTOR, ask } as const;
    await applyEvent(database, { ...run, state: run.state }, event);
  };
  const ports: DriverPorts = {
    database,
    feed: () => world.feed,
    tools: ({ state }) =>
      someTools({
        nowMs: () => world.nowMs,
        async runCheck() {
          asked.push(`${questionOf(state)}`);
          if (doing === 'brain') await wish(asked.length === 1);
          return anEvidence({ tail: `red ${asked.length}` });
        },
      }),
    async beginAnew(_run, after) {
      const begun = await world.beginAnew(after);
      if (doing === 'anew') await wish(begunAnew++ === 0);
      return begun;
    },
    withdraw: async () => false,
    ring: async () => undefined,
    nowMs: () => world.nowMs,
  };
  for (let turn = 0; turn < 8; turn++) {
    world.work();
    for (let round = 0; round < 8; round++) await advance(ports, id, `wait-${turn}-${round}`);
  }
  return { asked, begunAnew, run: await readRun(database, id) };
}

it('asks its brain once for a step, although a person wishes something else meanwhile', async () => {
  const keep = { action: 'conversation', beginsAnew: false } as const;
  const { asked, run } = await wishedWithin('onceasked', 'brain', keep);
  expect(run?.state?.spec.beginsAnew).toBe(false);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked).toEqual([...new Set(asked)]);
});

it('begins a conversation anew once, and weighs it, although a person pauses meanwhile', async () => {
  const { begunAnew, run } = await wishedWithin('oncebegun', 'anew', { action: 'pause' });
  expect(begunAnew).toBe(1);
  expect(run?.state).toMatchObject({ status: 'paused', begun: { tokens: 300_000 } });
});
