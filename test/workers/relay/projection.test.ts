import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { aUsage } from '../../support/protocol-builders.ts';
import { sequence } from '../support/peers.ts';
import { actId } from '../../../protocol/ids.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readyEvents,
  startOnline,
  turnEnded,
  untilRows,
} from '../support/sessions.ts';

const ACT: EngineEvent = {
  type: 'act/seen',
  act: {
    actId: actId.parse('act_1'),
    turnId: null,
    toolId: 'tool-1',
    kind: 'push',
    command: 'git push origin main',
    target: 'origin main',
    witness: 'stream',
    uncertain: false,
  },
};

describe('projection of a record into D1', () => {
  let session: Launched;
  let events: EngineEvent[];
  beforeEach(async () => {
    session = await launchOn(await startOnline());
    events = [
      ...readyEvents(session.turnId),
      {
        type: 'usage/recorded',
        turnId: session.turnId,
        entries: [aUsage(), aUsage({ model: 'helper' })],
      },
      ACT,
      { type: 'act/ended', actId: actId.parse('act_1'), outcome: 'done' },
      turnEnded(session.turnId),
    ];
  });

  const count = async (table: string): Promise<number> =>
    (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n ?? -1;
  const project = async () => {
    await runInDurableObject(feedStub(session.sessionId), (_, state) =>
      state.storage.setAlarm(Date.now() + 60_000),
    );
    await runDurableObjectAlarm(feedStub(session.sessionId));
  };

  it('fills the ledgers and the list of sessions', async () => {
    await session.peer.stored(session.sessionId, 1, events);
    await untilRows('SELECT 1 FROM usage_entries', 2);
    await untilRows('SELECT 1 FROM acts', 1);
    await untilRows('SELECT 1 FROM act_outcomes', 1);
    const row = await env.DB.prepare(
      'SELECT state, acts, account_id, actor_id FROM sessions',
    ).first();
    expect(row).toEqual({ state: 'idle', acts: 1, account_id: 'acc_local', actor_id: 'usr_local' });
  });

  it('does not hold up the record while D1 is away, and catches up by the alarm', async () => {
    await env.DB.exec('ALTER TABLE usage_entries RENAME TO away');
    await session.peer.stored(session.sessionId, 1, events);
    await project();
    expect(await count('away')).toBe(0);
    await env.DB.exec('ALTER TABLE away RENAME TO usage_entries');
    await evictDurableObject(feedStub(session.sessionId));
    await project();
    expect([await count('usage_entries'), await count('acts')]).toEqual([2, 1]);
  });

  it('has set an alarm by the time an event is acknowledged', async () => {
    await project();
    await runInDurableObject(feedStub(session.sessionId), (_, state) =>
      state.storage.deleteAlarm(),
    );
    await evictDurableObject(feedStub(session.sessionId));
    const reply = await feedStub(session.sessionId).append(
      session.runner.runnerId,
      sequence(session.sessionId, 1, events),
    );
    const alarm = await runInDurableObject(feedStub(session.sessionId), (_, state) =>
      state.storage.getAlarm(),
    );
    expect([reply.kind, typeof alarm]).toEqual(['stored', 'number']);
  });

  it('counts once what a crash between D1 and the cursor projects twice (M3)', async () => {
    await session.peer.stored(session.sessionId, 1, events);
    await untilRows('SELECT 1 FROM usage_entries', 2);
    await runInDurableObject(feedStub(session.sessionId), (_, state) => {
      state.storage.sql.exec('UPDATE feed SET projected_up_to = 0');
    });
    await evictDurableObject(feedStub(session.sessionId));
    await project();
    expect([
      await count('usage_entries'),
      await count('acts'),
      await count('act_outcomes'),
    ]).toEqual([2, 1, 1]);
  });

  it('counts once a usage event that the runner sends twice (M3)', async () => {
    await session.peer.stored(session.sessionId, 1, events);
    session.peer.events(session.sessionId, 1, events);
    await session.peer.stored(session.sessionId, 10, [{ type: 'engine/parked', reason: 'idle' }]);
    await project();
    expect(await count('usage_entries')).toBe(2);
    const total = await env.DB.prepare('SELECT sum(micro_usd) AS total FROM usage_entries').first();
    expect(total).toEqual({ total: 3120 });
  });

  it('never lets a late writer put a session back', async () => {
    await session.peer.stored(session.sessionId, 1, events);
    await untilRows(`SELECT 1 FROM sessions WHERE state = 'idle'`, 1);
    await env.DB.exec('UPDATE sessions SET position = 1000000');
    await session.peer.stored(session.sessionId, 10, [{ type: 'engine/parked', reason: 'idle' }]);
    await project();
    expect(await env.DB.prepare('SELECT state FROM sessions').first()).toEqual({ state: 'idle' });
  });
});
