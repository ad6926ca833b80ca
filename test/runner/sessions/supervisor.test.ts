import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../../../protocol/command.ts';
import type { LaunchSpecInput } from '../../../protocol/launch.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { PushKeeper } from '../../../runner/gate/gate-session.ts';
import { aCommand, aSessionId, aStart, anInstruction } from '../../support/runner-builders.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';
import { SessionHouse } from '../../support/session-house.ts';
import { until } from '../../support/until.ts';

let house: SessionHouse;
beforeEach(() => {
  house = new SessionHouse();
});
afterEach(() => house.close());

const start = (session = aSessionId(), over: Partial<LaunchSpecInput> = {}) =>
  aStart(session, 'go', { engineId: 'scripted', directory: house.directory, ...over });
const stop = (session: NonNullable<Command['sessionId']>, epoch = 1) =>
  aCommand('session/stop', session, {}, { epoch });
const carrying = (command: Command, engineSessionId: string): Command =>
  ({ ...command, params: { ...command.params, engineSessionId } }) as Command;

describe('a launch', () => {
  test('is under way before its command is answered', async () => {
    const command = start();
    expect(await house.receive(command)).toBeNull();
    expect(house.sessions.list()).toMatchObject([{ state: { phase: { kind: 'preparing' } } }]);
  });

  test('has its instruction durable before anything else happens', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    expect(house.eventsOf(session)).toMatchObject([
      { type: 'turn/delivered', delivery: 'received' },
    ]);
  });

  test.each([
    ['structured', 'tokens', 'merge'],
    ['structured', 'none', 'pr'],
    ['none', 'tokens', 'pr'],
  ] as const)(
    'of an engine with acts %s and usage %s has of a policy that lets it merge: %s',
    async (acts, usage, left) => {
      const engine = scriptedEngine();
      const capabilities = { ...engine.capabilities, acts, usage };
      let keeper: PushKeeper | undefined;
      house.restart({
        findEngine: () => ({ ...engine, capabilities }),
        attendPushes: (pushes) => {
          keeper = pushes;
        },
      });
      const session = aSessionId();
      const policy = { policy: { ...DEFAULT_POLICY, mode: 'merge' as const }, sources: [] };
      await house.receive(start(session, { policy }));
      expect(keeper?.policyOf(session)?.mode).toBe(left);
    },
  );

  test('of an engine that this version does not know is refused by its name', async () => {
    const result = await house.receive(start(aSessionId(), { engineId: 'elsewhere' }));
    expect(result).toMatchObject({ ok: false, code: 'engine_unknown' });
    expect(house.sessions.list()).toEqual([]);
  });

  test('that comes again while it is under way changes nothing', async () => {
    const command = start();
    await house.receive(command);
    expect(await house.receive(command)).toBeNull();
    expect(house.sessions.list()).toHaveLength(1);
  });

  test('that comes again to the next runner is the same launch', async () => {
    const command = start();
    await house.receive(command);
    house.restart();
    expect(await house.receive(command)).toBeNull();
    expect(house.sessions.list()).toHaveLength(1);
  });

  test('of a session that runs is refused: it has its one driver', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    expect(await house.receive(start(session))).toMatchObject({ ok: false, code: 'conflict' });
  });

  test('whose checkout cannot be made is refused as the result and as a failed launch', async () => {
    await house.close();
    house = new SessionHouse({ probe: () => Promise.reject(new Error('the disk is full')) });
    const session = aSessionId();
    const command = start(session);
    await house.receive(command);
    await house.over(session);
    const result = house.sent.get(command.id);
    expect(result).toMatchObject({ ok: false, code: 'internal', message: 'the disk is full' });
    expect(house.eventsOf(session).map(({ type }) => type)).toEqual([
      'turn/delivered',
      'launch/failed',
      'turn/delivered',
    ]);
  });
});

describe('two sessions', () => {
  test('do not work in one directory at once', async () => {
    await house.receive(start());
    expect(await house.receive(start())).toMatchObject({ ok: false, code: 'directory_busy' });
  });

  test('do not either when one comes to it by a link', async () => {
    const link = join(house.directory, 'link');
    symlinkSync(house.directory, link);
    await house.receive(start());
    const result = await house.receive(start(aSessionId(), { directory: link }));
    expect(result).toMatchObject({ ok: false, code: 'directory_busy' });
  });

  test('work on one repository when each has a checkout of its own', async () => {
    await house.receive(start(aSessionId(), { checkout: 'own' }));
    expect(await house.receive(start(aSessionId(), { checkout: 'own' }))).toBeNull();
    expect(house.sessions.list()).toHaveLength(2);
  });

  test('do not carry on one conversation', async () => {
    const one = carrying(start(aSessionId(), { checkout: 'own' }), 'theirs');
    const other = carrying(start(aSessionId(), { checkout: 'own' }), 'theirs');
    await house.receive(one);
    expect(await house.receive(other)).toMatchObject({ ok: false, code: 'conflict' });
  });

  test('in directories that are gone are nobody’s rivals', async () => {
    const gone = join(house.directory, 'gone');
    await house.receive(start(aSessionId(), { directory: gone }));
    expect(await house.receive(start(aSessionId(), { directory: gone }))).not.toMatchObject({
      code: 'directory_busy',
    });
  });
});

describe('a command to a session', () => {
  test('that this machine does not know is refused', async () => {
    const result = await house.receive(anInstruction(aSessionId(), 'go'));
    expect(result).toMatchObject({ ok: false, code: 'session_not_found' });
  });

  test('of a driver that was replaced is refused', async () => {
    const session = aSessionId();
    await house.receive({ ...start(session), epoch: 5 });
    expect(await house.receive(stop(session, 4))).toMatchObject({ ok: false, code: 'stale_epoch' });
  });

  test('of a newer driver shuts the older one out from then on', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    const instruction = { ...anInstruction(session, 'go'), epoch: 9 };
    expect(await house.receive(instruction)).toMatchObject({ ok: true });
    expect(await house.receive(stop(session, 8))).toMatchObject({ code: 'stale_epoch' });
  });

  test('that names no session is not in the expected form', async () => {
    const command = { ...stop(aSessionId()), sessionId: null };
    expect(await house.receive(command)).toMatchObject({ ok: false, code: 'bad_request' });
  });

  test('is answered with the reason when it makes no sense now', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    const result = await house.receive(aCommand('session/interrupt', session, {}));
    expect(result).toMatchObject({ ok: false, code: 'nothing_running' });
  });

  test('that waits behind a launch keeps its place', async () => {
    const session = aSessionId();
    const [launched, instructed] = [start(session), anInstruction(session, 'then this')];
    await Promise.all([house.receive(launched), house.receive(instructed)]);
    expect(house.sessions.list()[0]?.state.queue.map(({ text }) => text)).toEqual([
      'go',
      'then this',
    ]);
  });

  test('while the runner ends is left for its next start', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    const stopped = house.supervisor.stop(0);
    const command = anInstruction(session, 'later');
    expect(await house.receive(command)).toBeNull();
    await stopped;
    house.restart();
    expect(
      house.store.db.prepare('SELECT state FROM commands WHERE id = ?').get(command.id),
    ).toEqual({
      state: 'received',
    });
  });
});

describe('one session', () => {
  test('that is slow to start delays no stop of another', async () => {
    const [slow, other] = [aSessionId(), aSessionId()];
    let asked = 0;
    await house.close();
    house = new SessionHouse({
      readSecrets: () => ((asked += 1) > 1 ? new Promise(() => undefined) : Promise.resolve([])),
    });
    await house.receive(start(other, { checkout: 'own' }));
    void house.receive(start(slow, { checkout: 'own' }));
    expect(await house.receive(stop(other))).toMatchObject({ ok: true });
  });

  test('holds its directory from the moment that its launch is looked at', async () => {
    await house.close();
    house = new SessionHouse({ readSecrets: () => new Promise(() => undefined) });
    void house.receive(start());
    expect(await house.receive(start())).toMatchObject({ ok: false, code: 'directory_busy' });
  });

  test('whose launch failed holds nothing', async () => {
    await house.close();
    let asked = 0;
    house = new SessionHouse({
      readSecrets: () =>
        (asked += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve([]),
    });
    expect(await house.receive(start())).toMatchObject({ ok: false, code: 'internal' });
    expect(await house.receive(start())).toBeNull();
  });

  test('that was not taken up refuses what it is asked, with the reason, until it is', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    let broken = true;
    house.restart({
      readSecrets: () => (broken ? Promise.reject(new Error('disk is gone')) : Promise.resolve([])),
    });
    const refused = await house.receive(anInstruction(session, 'go'));
    expect(refused).toMatchObject({ ok: false, code: 'internal' });
    expect(JSON.stringify(refused)).toContain('disk is gone');
    broken = false;
    expect(await house.receive(anInstruction(session, 'again'))).toMatchObject({ ok: true });
  });
});

describe('a session that the next runner cannot take up', () => {
  const BROKEN = { readSecrets: () => Promise.reject(new Error('disk is gone')) };
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

  /** Its launch is under way as the runner ends; the events that come after that. */
  async function aSessionUnderWay() {
    const session = aSessionId();
    await house.receive(start(session));
    const before = house.eventsOf(session).length;
    return { session, told: () => house.eventsOf(session).slice(before) };
  }

  test('is told as blocked, with the reason and what to do, once however often it is tried', async () => {
    const { session, told } = await aSessionUnderWay();
    house.restart(BROKEN);
    await soon();
    await house.receive(anInstruction(session, 'go'));
    house.restart(BROKEN);
    await soon();
    expect(told()).toEqual([
      {
        type: 'engine/blocked',
        why: 'not_taken_up',
        excerpt: 'disk is gone',
        message: expect.stringContaining('send any instruction or restart the runner'),
      },
    ]);
  });

  test('is told as free again by the runner that can', async () => {
    const { session, told } = await aSessionUnderWay();
    house.restart(BROKEN);
    await soon();
    house.restart({});
    await soon();
    expect(told().slice(0, 2)).toMatchObject([
      { type: 'engine/blocked' },
      { type: 'engine/unblocked' },
    ]);
    house.restart();
    await soon();
    expect(told().filter(({ type }) => type === 'engine/unblocked')).toHaveLength(1);
    expect(await house.receive(anInstruction(session, 'go'))).toMatchObject({ ok: true });
  });

  test('keeps what is known of its process, so that the next try finds it', async () => {
    const { session } = await aSessionUnderWay();
    const rowOf = () => house.sessions.list().find(({ state }) => state.sessionId === session);
    const { process, spoolOffset, engineState, state } = rowOf() ?? {};
    house.restart(BROKEN);
    await soon();
    expect(rowOf()).toMatchObject({ process, spoolOffset, engineState });
    expect(rowOf()?.state).toEqual({ ...state, notTakenUp: true });
  });

  test.each([{ kind: 'over', how: 'ended' }, { kind: 'resting' }] as const)(
    'is told nothing of where nobody misses it: $kind',
    async (phase) => {
      const { session, told } = await aSessionUnderWay();
      const [row] = house.sessions.list();
      if (row) house.sessions.save({ ...row, state: { ...row.state, phase } }, house.now);
      house.restart(BROKEN);
      await soon();
      expect(house.logged).toContain('a session could not be taken up');
      expect(told()).toEqual([]);
      expect(await house.receive(anInstruction(session, 'go'))).toMatchObject({ ok: false });
    },
  );
});

describe('a new runner', () => {
  test('prepares again what was being prepared', async () => {
    await house.receive(start());
    let prepared = 0;
    house.restart({
      probe: () => {
        prepared += 1;
        return new Promise(() => undefined);
      },
    });
    await until('the launch to be looked at again', () => prepared > 0);
    expect(prepared).toBe(1);
  });

  test('tells a session as lost whose engine it does not know, once, and what waited as not delivered (L7)', async () => {
    const session = aSessionId();
    await house.receive(start(session));
    const told = async () => {
      house.restart({ findEngine: () => null });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return house.eventsOf(session).slice(1);
    };
    const first = await told();
    expect(house.logged).toContainEqual(expect.stringContaining('no longer known'));
    expect(first).toMatchObject([
      { type: 'turn/delivered', delivery: 'undelivered' },
      { type: 'session/ended', end: 'lost', reason: expect.stringContaining('press Retry') },
    ]);
    expect(await told()).toEqual(first);
    // A runner that knows it goes on with what is kept of it.
    house.restart({ findEngine: () => scriptedEngine() });
    expect(await house.receive(start(session))).toBeNull();
    expect(house.sessions.list()).toMatchObject([{ state: { phase: { kind: 'preparing' } } }]);
  });

  test('that cannot take one session up still takes up the others', async () => {
    const [broken, sound] = [aSessionId(), aSessionId()];
    await house.receive(start(broken, { checkout: 'own' }));
    house.now += 1;
    await house.receive(start(sound, { checkout: 'own' }));
    let asked = 0;
    house.restart({
      readSecrets: () => {
        asked += 1;
        return asked % 2 === 1 ? Promise.reject(new Error('no')) : Promise.resolve([]);
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(house.logged).toContainEqual('a session could not be taken up');
    expect(await house.receive(anInstruction(sound, 'go'))).toMatchObject({ ok: true });
  });
});

describe('what an engine wrote', () => {
  test('is removed once the cloud has everything that was read from it, and not before', async () => {
    const session = aSessionId();
    const path = join(house.directory, 'spool.out');
    writeFileSync(path, 'raw words');
    house.sessions.addSpentSpool(path, session, 5);
    house.supervisor.acked({ sessionId: session, ackedUpTo: 4, lastSeq: 9 });
    expect(existsSync(path)).toBe(true);
    house.supervisor.acked({ sessionId: session, ackedUpTo: 5, lastSeq: 9 });
    expect(existsSync(path)).toBe(false);
    expect(house.sessions.listSpentSpools(session, 100)).toEqual([]);
  });

  test('that is gone already is no error', () => {
    const session = aSessionId();
    house.sessions.addSpentSpool(join(house.directory, 'never'), session, 1);
    house.supervisor.acked({ sessionId: session, ackedUpTo: 1, lastSeq: 1 });
    expect(house.sessions.listSpentSpools(session, 100)).toEqual([]);
  });
});
