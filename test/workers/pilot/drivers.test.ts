import {
  evictDurableObject,
  introspectWorkflowInstance,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../workers/db/client.ts';
import { instanceOf, lookAfter, matters, wakePilot } from '../../../workers/pilot/drivers.ts';
import type { PilotSweeper } from '../../../workers/pilot/sweeper.ts';
import { readRun } from '../../../workers/pilot/store.ts';
import { LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { entriesOf } from '../../support/protocol-builders.ts';
import { launchPilot, PilotedRunner, untilPilot } from '../support/pilots.ts';
import { type Installation, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await startOnline();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const sweeper = () => env.PILOT_SWEEPER.getByName('all') as DurableObjectStub<PilotSweeper>;

async function started() {
  const launched = await launchPilot(installation);
  await untilPilot(launched.cli, launched.sessionId, 'waiting_turn');
  const database = openDatabase(env.DB);
  const read = async () => {
    const run = await readRun(database, launched.sessionId);
    if (!run) throw new Error('there is no run');
    return run;
  };
  return { ...launched, runner: new PilotedRunner(launched), database, read };
}

describe('the driver of a run', () => {
  it('waits under a name of its own, and is woken by it', async () => {
    const { sessionId, read, runner } = await started();
    const instance = await env.PILOT.get(instanceOf({ sessionId, generation: 0 }));
    await until(async () => (await read()).waitKey !== null, 'a name to wake it by');
    const { waitKey } = await read();
    await runner.firstTurn();
    await runner.nextCheck();
    await runner.next('session/instruct');
    await until(async () => (await read()).waitKey !== waitKey, 'another name');
    expect((await instance.status()).status).not.toBe('errored');
  });

  it('is one, however often it is woken (R2)', async () => {
    const { sessionId, read } = await started();
    const { runnerId } = await read();
    const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR, sessionId, runnerId };
    await Promise.all([wakePilot(env, owner), wakePilot(env, owner), wakePilot(env, owner)]);
    expect((await read()).generation).toBe(0);
  });

  it('that is lost is followed by another one, which goes on from the record', async () => {
    const { cli, sessionId, runner, read, database } = await started();
    const lost = await env.PILOT.get(instanceOf({ sessionId, generation: 0 }));
    await lost.terminate();
    await lookAfter(env, database, await read());
    expect((await read()).generation).toBe(1);
    await runner.firstTurn();
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');
  });

  it('that is lost while it decides is followed by another one within two minutes', async () => {
    const { cli, sessionId, runner, read } = await started();
    expect(await runDurableObjectAlarm(sweeper())).toBe(true);
    await runner.firstTurn();
    const asked = await runner.next('check/run');
    expect(await read()).toMatchObject({ generation: 0, status: 'deciding' });
    const lost = await env.PILOT.get(instanceOf({ sessionId, generation: 0 }));
    await lost.terminate();
    const clock = vi.spyOn(Date, 'now');
    clock.mockImplementation(() => performance.timeOrigin + performance.now() + 100_000);
    expect(await runDurableObjectAlarm(sweeper())).toBe(true);
    expect((await read()).generation).toBe(1);
    clock.mockRestore();
    // The same check by its own id, which a machine runs once.
    const { checkId } = await runner.nextCheck({ passed: true });
    expect(checkId).toBe(asked.params.checkId);
    await untilPilot(cli, sessionId, 'finished');
  });

  it('is left to a decision that takes long, and looked at once a minute', async () => {
    const { read, runner } = await started();
    expect(await runDurableObjectAlarm(sweeper())).toBe(true);
    await runner.firstTurn();
    await runner.next('check/run');
    const clock = vi.spyOn(Date, 'now');
    const later = (ms: number) =>
      clock.mockImplementation(() => performance.timeOrigin + performance.now() + ms);
    const dueAt = async () =>
      (await env.DB.prepare('SELECT due_at FROM pilot_runs').first<{ due_at: number }>())?.due_at;
    const before = (await dueAt()) ?? 0;
    later(100_000);
    await runDurableObjectAlarm(sweeper());
    const due = await dueAt();
    expect(due).toBeGreaterThan(before);
    later(130_000);
    await runDurableObjectAlarm(sweeper());
    expect(await dueAt()).toBe(due);
    clock.mockRestore();
    expect(await read()).toMatchObject({ generation: 0, status: 'deciding' });
  });

  it('ends with its run', async () => {
    const launched = await launchPilot(installation);
    const id = instanceOf({ sessionId: launched.sessionId, generation: 0 });
    const introspected = await introspectWorkflowInstance(env.PILOT, id);
    const runner = new PilotedRunner(launched);
    await runner.firstTurn();
    await runner.nextCheck({ passed: true });
    await untilPilot(launched.cli, launched.sessionId, 'finished');
    await expect(introspected.waitForStatus('complete')).resolves.toBeUndefined();
    await introspected.dispose();
  });
});

describe('the sweeper', () => {
  it('goes round while a run is unfinished, also after it was put to sleep, and rests afterwards', async () => {
    const { cli, sessionId, runner } = await started();
    expect(await runDurableObjectAlarm(sweeper())).toBe(true);
    await evictDurableObject(sweeper());
    expect(await runDurableObjectAlarm(sweeper())).toBe(true);
    await runner.firstTurn();
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');
    await runDurableObjectAlarm(sweeper());
    expect(await runDurableObjectAlarm(sweeper())).toBe(false);
  });
});

describe('the round of the sweeper', () => {
  it('is one, and comes no later, however often it is asked for (R2)', async () => {
    const alarm = () => runInDurableObject(sweeper(), (_, { storage }) => storage.getAlarm());
    const { sessionId, read } = await started();
    const { runnerId } = await read();
    const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR, sessionId, runnerId };
    const due = await alarm();
    expect(due).not.toBeNull();
    for (const _ of [1, 2, 3]) {
      await sweeper().watch();
      await wakePilot(env, owner);
    }
    expect(await alarm()).toBe(due);
  });
});

describe('waking a Pilot', () => {
  it('is worth it for the ends of things, and not for the agent’s own words (R1)', () => {
    const [words, end] = entriesOf([
      {
        type: 'text/completed',
        turnId: null,
        blockId: 'b',
        parentToolId: null,
        kind: 'answer',
        text: { text: 'x', truncated: null },
      },
      { type: 'session/ended', end: 'stopped', reason: 'Stopped.' },
    ]);
    expect([words, end].map((entry) => entry && matters(entry))).toEqual([false, true]);
  });
});
