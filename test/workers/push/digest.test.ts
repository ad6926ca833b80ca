import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { digestView } from '../../../protocol/digest.ts';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { PUSH_KINDS } from '../../../protocol/push.ts';
import type { PushBell } from '../../../workers/push/bell.ts';
import { received, RECEIVED_URL } from '../../support/webhooks/receiver.ts';
import { ask, codeOf, signIn, startEmpty } from '../support/http.ts';
import { project } from '../support/ledger.ts';

const bell = () => env.PUSH_BELL.getByName(LOCAL_ACCOUNT) as DurableObjectStub<PushBell>;
const taken = async () => received.parse(await (await env.OUTSIDE?.fetch(RECEIVED_URL))?.json());

/** A morning: what is chosen is due now, and the alarm rings. */
async function passNight(): Promise<void> {
  await runInDurableObject(bell(), async (_, { storage }) => {
    storage.sql.exec('UPDATE digest SET due_at = 1');
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await runDurableObjectAlarm(bell());
}
/** As if the last one were of yesterday. */
const endDay = () =>
  runInDurableObject(bell(), (_, { storage }) => {
    storage.sql.exec("UPDATE digest_told SET last_day = '2001-01-01'");
    storage.sql.exec('DELETE FROM told');
  });
const due = () =>
  runInDurableObject(
    bell(),
    (_, { storage }) =>
      storage.sql.exec<{ due_at: number }>('SELECT due_at FROM digest').one().due_at,
  );

describe('the digest', () => {
  let cookie: string;
  beforeEach(async () => {
    await startEmpty();
    cookie = await signIn();
    await taken();
    const url = 'https://receiver.example/status/200';
    await ask('POST', '/v1/push/webhook', {
      cookie,
      body: { url, kinds: [...PUSH_KINDS], quiet: null },
    });
  });
  const choose = (digest: unknown) => ask('POST', '/v1/push/digest', { cookie, body: { digest } });
  const daily = () => choose({ at: 480, timeZone: 'Europe/Berlin' });
  const read = async () => digestView.parse((await ask('GET', '/v1/push/digest', { cookie })).body);
  const fail = (name: string) =>
    project(name, [
      {
        at: Date.now() - 1_000,
        event: { type: 'session/ended', end: 'lost', reason: 'It broke.' },
      },
    ]);

  it('tells once what happened, and where to read it, and again only of what came since', async () => {
    await daily();
    await fail('one');
    await passNight();
    const [message, ...more] = await taken();
    expect(more).toEqual([]);
    expect(message?.body).toContain('1 session failed');
    expect(message?.body).toContain('/digest|Open it');
    expect((await read()).digest).toMatchObject({ failed: { count: 1 } });
    expect(await due()).toBeGreaterThan(Date.now());
    // The alarm again, as after a crash, and another time of the same day: nothing more comes.
    await runDurableObjectAlarm(bell());
    await choose({ at: 1_439, timeZone: 'Europe/Berlin' });
    const tomorrow = new Date(await due()).toLocaleDateString('en-CA', {
      timeZone: 'Europe/Berlin',
    });
    expect(tomorrow > new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Berlin' })).toBe(
      true,
    );
    expect(await taken()).toEqual([]);
    await endDay();
    await passNight();
    expect(await taken()).toEqual([]);
    expect((await read()).digest).toMatchObject({ failed: { count: 0 } });
  });

  it('is kept over a restart, and sends nothing where there is nothing to say', async () => {
    await daily();
    const before = await due();
    await evictDurableObject(bell());
    expect(await due()).toBe(before);
    await passNight();
    expect(await taken()).toEqual([]);
    expect((await read()).choice).toEqual({ at: 480, timeZone: 'Europe/Berlin' });
  });

  it('can be read before there was one, and comes no more once it is turned off', async () => {
    await fail('two');
    expect(await read()).toMatchObject({ choice: null, digest: { failed: { count: 1 } } });
    await daily();
    await choose(null);
    await passNight();
    expect(await taken()).toEqual([]);
    const wrong = await choose({ at: 480, timeZone: 'Mars/Olympus' });
    expect(codeOf(wrong)).toBe('bad_request');
  });
});
