import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { takenOver } from '../../../protocol/takeover.ts';
import { sha256Hex } from '../../../workers/lib/crypto.ts';
import { LeaseStore } from '../../../workers/relay/lease-store.ts';
import { ask, codeOf, HOST, signIn } from '../support/http.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';

let session: Launched;

beforeAll(async () => {
  session = await launchOn(await startOnline());
  const { peer, sessionId: id, turnId } = session;
  await peer.stored(id, 1, [...readyEvents(turnId), turnEnded(turnId)]);
});
afterEach(() => post('release', { force: true }));

const post = (path: string, body: object, caller: object = { bearer: session.cli }) =>
  ask('POST', `/v1/sessions/${session.sessionId}/${path}`, { ...caller, body });
const take = async (body: object = {}) =>
  takenOver.parse((await post('takeover', { form: 'text', ...body })).body);
const driverOf = async (key: string) =>
  (await feedStub(session.sessionId).readDriver(await sha256Hex(key))) as {
    ok: boolean;
    value: { epoch: number | null };
  };
const epochOf = async (key: string) => (await driverOf(key)).value.epoch;
const takeoverOf = async () => (await readSession(session.cli, session.sessionId)).view.takeover;

describe('a lease by hand', () => {
  it('is proven by its key, and by nothing else', async () => {
    const { key, epoch } = await take();
    expect(await epochOf(key)).toBe(epoch);
    expect(await epochOf(key.slice(1))).toBeNull();
    expect(await epochOf('')).toBeNull();
  });

  it('is kept as the hash of its key: the key is in no row and in no record', async () => {
    const { key } = await take();
    const rows = await runInDurableObject(feedStub(session.sessionId), async (_, state) => {
      await Promise.resolve();
      return JSON.stringify(state.storage.sql.exec('SELECT * FROM lease').toArray());
    });
    expect(rows).toContain(await sha256Hex(key));
    expect(rows).not.toContain(key);
    const record = await ask('GET', `/v1/sessions/${session.sessionId}`, { bearer: session.cli });
    expect(JSON.stringify(record.body)).not.toContain(key);
  });

  it('stays with its holder while the feed sleeps', async () => {
    const { key, epoch } = await take();
    await evictDurableObject(feedStub(session.sessionId));
    expect(await epochOf(key)).toBe(epoch);
  });

  it('that was taken from somebody is theirs no more', async () => {
    const first = await take();
    expect(codeOf(await post('takeover', { form: 'text' }))).toBe('taken_over');
    const second = await take({ force: true });
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect([await epochOf(first.key), await epochOf(second.key)]).toEqual([null, second.epoch]);
    expect(codeOf(await post('release', { key: first.key }))).toBe('taken_over');
  });

  it('ends when it is handed back, and the key opens nothing afterwards', async () => {
    const { key } = await take();
    expect(codeOf(await post('release', {}))).toBe('taken_over');
    expect((await post('release', { key })).status).toBe(202);
    expect(await epochOf(key)).toBeNull();
    expect(codeOf(await post('release', { key, force: true }))).toBe('not_taken_over');
    const next = await take();
    expect([await epochOf(key), await epochOf(next.key)]).toEqual([null, next.epoch]);
  });

  it('says who drives and from where', async () => {
    expect(await takeoverOf()).toBeNull();
    const { epoch } = await take();
    expect(await takeoverOf()).toMatchObject({ form: 'text', channel: 'cli', epoch });
    await post(
      'takeover',
      { form: 'text', force: true },
      { cookie: await signIn(), headers: { origin: `http://${HOST}` } },
    );
    expect(await takeoverOf()).toMatchObject({ form: 'text', channel: 'console' });
  });

  it('lets its holder alone give instructions', async () => {
    const { key } = await take();
    expect(codeOf(await post('instructions', { text: 'not mine' }))).toBe('taken_over');
    expect((await post('instructions', { text: 'mine', key })).status).toBe(202);
    await post('release', { key });
    expect((await post('instructions', { text: 'anybody’s' })).status).toBe(202);
  });
});

describe('keys', () => {
  it('are refused where the engine has no terminal, and nobody drives then', async () => {
    expect(codeOf(await post('takeover', { form: 'keys' }))).toBe('keys_unsupported');
    expect(await takeoverOf()).toBeNull();
  });

  it('of no size that a terminal may have are refused before anything is decided', async () => {
    for (const size of [{ columns: 0 }, { rows: 1_000 }, { columns: 80.5 }])
      expect(codeOf(await post('takeover', { form: 'text', ...size }))).toBe('bad_request');
    expect(await takeoverOf()).toBeNull();
  });
});

describe('the store of a lease', () => {
  it('has one holder, whoever had it before', async () => {
    const hands = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1 })), {
      minLength: 1,
      maxLength: 8,
    });
    await runInDurableObject(feedStub(sessionId.parse('ses_lease')), async (_, state) => {
      await Promise.resolve();
      const lease = new LeaseStore(state.storage.sql);
      expect(lease.epochOf('a')).toBeNull();
      fc.assert(
        fc.property(hands, (given) => {
          for (const [hash, epoch] of given) lease.give(hash, epoch);
          const [hash, epoch] = given.at(-1) ?? [];
          const found = ['a', 'b', 'c'].map((each) => lease.epochOf(each));
          expect(found).toEqual(['a', 'b', 'c'].map((each) => (each === hash ? epoch : null)));
        }),
        { numRuns: 40 },
      );
    });
  });
});
