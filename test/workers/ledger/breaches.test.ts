import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { breachPage, sessionPage } from '../../../protocol/http.ts';
import { actId } from '../../../protocol/ids.ts';
import { aBreach, breachFound, halted } from '../../support/breach-builders.ts';
import { ask } from '../support/http.ts';
import {
  type Launched,
  launchOn,
  readyEvents,
  startOnline,
  turnEnded,
  untilRows,
} from '../support/sessions.ts';

describe('breaches', () => {
  let session: Launched;
  let next: number;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
    const second = breachFound({ actId: actId.parse('act_2'), kind: 'tag', move: null });
    const events = [...readyEvents(session.turnId), turnEnded(session.turnId)];
    const found = [breachFound(), breachFound(), second];
    await session.peer.stored(session.sessionId, 1, [...events, ...found]);
    next = events.length + found.length + 1;
    await untilRows('SELECT 1 FROM breaches', 2);
  });

  const list = async (query = '') =>
    breachPage.parse((await ask('GET', `/v1/breaches${query}`, { bearer: session.cli })).body);
  const answerFor = (id: string, body: unknown) =>
    ask('POST', `/v1/sessions/${session.sessionId}/breaches/${id}/override`, {
      bearer: session.cli,
      body,
    });

  it('are listed once each, with all that undoes them and the policy of the launch', async () => {
    const { items } = await list();
    expect(items).toHaveLength(2);
    const first = items.find((item) => item.actId === 'act_1');
    expect(first).toMatchObject({
      ...aBreach(),
      sessionTitle: 'Fix it',
      override: null,
      policy: [],
    });
  });

  it('come in pages without a gap', async () => {
    const { items, nextCursor } = await list('?limit=1');
    const rest = await list(`?limit=1&cursor=${nextCursor}`);
    const ids = [...items, ...rest.items].map((item) => item.actId);
    expect(ids.toSorted()).toEqual(['act_1', 'act_2']);
    expect(rest.nextCursor).toBeNull();
  });

  it('are those of sessions or of operators alone, where that is asked for', async () => {
    expect((await list('?doer=session')).items).toHaveLength(2);
    const one = await env.DB.prepare(`SELECT * FROM breaches WHERE act_id = 'act_1'`).first();
    const row = { ...one, session_id: 'ins_1', at: 1 };
    const columns = Object.keys(row);
    await env.DB.prepare(
      `INSERT INTO breaches (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
      .bind(...Object.values(row))
      .run();
    const ids = async (query: string) => (await list(query)).items.map((item) => item.actId);
    expect(await ids('?doer=operator&open=true&limit=1')).toEqual(['act_1']);
    expect((await ids('?doer=session')).toSorted()).toEqual(['act_1', 'act_2']);
  });

  it('are answered for by a person with a reason, which is on record (S2)', async () => {
    for (const reason of ['', '   ', undefined])
      expect((await answerFor('act_1', { reason })).status).toBe(400);
    expect((await answerFor('act_9', { reason: 'it was me' })).status).toBe(404);
    expect((await answerFor('act_1', { reason: 'it was me' })).status).toBe(202);
    expect((await answerFor('act_1', { reason: 'another word' })).status).toBe(202);
    await untilRows('SELECT 1 FROM breach_overrides', 1);
    const open = await list('?open=true');
    expect(open.items.map((item) => item.actId)).toEqual(['act_2']);
    const first = (await list()).items.find((item) => item.actId === 'act_1');
    expect(first?.override).toMatchObject({ reason: 'it was me', channel: 'cli' });
  });

  it('are counted in the list of sessions while they are open', async () => {
    await session.peer.stored(session.sessionId, next, [halted]);
    await answerFor('act_1', { reason: 'it was me' });
    await untilRows("SELECT 1 FROM sessions WHERE breaches = 1 AND state = 'halted'", 1);
    const body = (await ask('GET', '/v1/sessions', { bearer: session.cli })).body;
    expect(sessionPage.parse(body).items[0]).toMatchObject({ breaches: 1 });
  });

  it('are let go on by a command to the machine, with the last word', async () => {
    await session.peer.stored(session.sessionId, next, [halted]);
    await answerFor('act_1', { reason: 'it was me' });
    await answerFor('act_2', { reason: 'it was me too' });
    expect((await session.peer.next('command')).command).toMatchObject({
      method: 'session/resume',
      sessionId: session.sessionId,
    });
  });

  it.each(['breaches', 'breach_overrides'])('%s are never changed or removed', async (table) => {
    await answerFor('act_1', { reason: 'it was me' });
    await untilRows('SELECT 1 FROM breach_overrides', 1);
    for (const statement of [`UPDATE ${table} SET at = 0`, `DELETE FROM ${table}`])
      await expect(env.DB.prepare(statement).run()).rejects.toThrow('append-only');
  });
});
