import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, requestId, sessionId } from '../../../protocol/ids.ts';
import { type PushMessage, pushDevice } from '../../../protocol/push.ts';
import { pushView } from '../../../protocol/push-view.ts';
import type { PushBell } from '../../../workers/push/bell.ts';
import { anApproval } from '../../support/transcript-events.ts';
import { PushBrowser } from '../support/browsers.ts';
import { ask, codeOf, makeCliToken, signIn, startEmpty } from '../support/http.ts';
import { launchOn, readyEvents, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const MESSAGE: PushMessage = {
  kind: 'approval',
  sessionId: sessionId.parse('ses_1'),
  tag: 'ses_1 approval 3',
};
const bell = () => env.PUSH_BELL.getByName(LOCAL_ACCOUNT) as DurableObjectStub<PushBell>;
/** Rings, and holds what waits: no test reaches for a push service. */
const ring = (messages: PushMessage[]) =>
  runInDurableObject(bell(), async (object, { storage }) => {
    await object.ring(messages);
    await storage.deleteAlarm();
  });
const queued = () =>
  runInDurableObject(bell(), (_, { storage }) =>
    storage.sql
      .exec<{ tag: string; attempts: number }>('SELECT tag, attempts FROM queue ORDER BY rowid')
      .toArray(),
  );

describe('a browser that asks to be told', () => {
  let cookie: string;
  let browser: PushBrowser;
  beforeEach(async () => {
    await startEmpty();
    cookie = await signIn();
    browser = await PushBrowser.open();
  });
  const subscribe = async (over = {}) =>
    pushDevice.parse(
      (await ask('POST', '/v1/push/devices', { cookie, body: browser.asked(over) })).body,
    );
  const read = async () => pushView.parse((await ask('GET', '/v1/push', { cookie })).body);

  it('is one device however often it asks, and shows nobody where it is told', async () => {
    const first = await subscribe();
    const again = await subscribe({ kinds: ['approval'], name: 'Mine' });
    expect(again.deviceId).toBe(first.deviceId);
    const view = await read();
    expect(view).toMatchObject({ devices: [{ name: 'Mine', kinds: ['approval'], lastAt: null }] });
    expect(view.publicKey).toMatch(/^[\w-]{87}$/);
    const row = JSON.stringify(await env.DB.prepare('SELECT * FROM push_devices').first());
    expect(row).not.toContain('fcm.googleapis.com');
    expect(row).not.toContain(browser.subscription.keys.auth);
  });

  it('from before there were Pilots is told of them too, sees it, and is asked nothing', async () => {
    const { deviceId } = await subscribe();
    const keep = (kinds: string[]) =>
      env.DB.prepare('UPDATE push_devices SET choices = ?')
        .bind(JSON.stringify({ kinds, quiet: null }))
        .run();
    await keep(['approval']);
    const kinds = ['approval', 'pilot', 'operator', 'budget', 'digest'];
    expect((await read()).devices).toMatchObject([{ kinds, added: kinds.slice(1) }]);
    await ring([{ ...MESSAGE, kind: 'pilot', tag: 'ses_1 pilot 4' }]);
    expect(await queued()).toMatchObject([{ tag: 'ses_1 pilot 4' }]);
    const chosen = { kinds: ['approval', 'operator'], quiet: null };
    await ask('POST', `/v1/push/devices/${deviceId}`, { cookie, body: chosen });
    expect((await read()).devices).toMatchObject([{ kinds: chosen.kinds, added: [] }]);
    await keep([]);
    expect((await read()).devices).toMatchObject([{ kinds: [], added: [] }]);
  });

  it('chooses what it is told of, and is forgotten when it is taken off', async () => {
    const { deviceId } = await subscribe();
    const quiet = { from: 1_320, to: 420, timeZone: 'Europe/Berlin' };
    const path = `/v1/push/devices/${deviceId}`;
    const changed = await ask('POST', path, { cookie, body: { kinds: ['failed'], quiet } });
    expect(changed.body).toMatchObject({ kinds: ['failed'], quiet });
    expect((await ask('POST', `${path}/remove`, { cookie })).status).toBe(200);
    expect((await read()).devices).toEqual([]);
    expect(codeOf(await ask('POST', `${path}/remove`, { cookie }))).toBe('push_device_not_found');
    const none = await ask('POST', path, { cookie, body: { kinds: [], quiet: null } });
    expect(codeOf(none)).toBe('push_device_not_found');
  });

  it.each([
    ['http://fcm.googleapis.com/x'],
    ['https://127.0.0.1/x'],
    ['https://fcm.googleapis.com.example.org/x'],
    ['https://user@fcm.googleapis.com/x'],
    ['https://fcm.googleapis.com:8443/x'],
    ['https://evilfcm.googleapis.com.local/x'],
  ])('is refused at %s', async (endpoint) => {
    const answer = await ask('POST', '/v1/push/devices', {
      cookie,
      body: browser.asked({ endpoint }),
    });
    expect(codeOf(answer)).toBe('bad_request');
  });

  it('is a person’s alone: a command line has no browser', async () => {
    const bearer = await makeCliToken();
    const answer = await ask('POST', '/v1/push/devices', { bearer, body: browser.asked() });
    expect(codeOf(answer)).toBe('forbidden');
  });

  it('is told what it wants to be told of, once, and nothing in its quiet hours', async () => {
    await subscribe({ kinds: ['approval'] });
    await ring([MESSAGE, { ...MESSAGE, kind: 'finished', tag: 'other' }]);
    await ring([MESSAGE]);
    expect((await queued()).map(({ tag }) => tag)).toEqual([MESSAGE.tag]);
    await subscribe({ quiet: { from: 0, to: 0, timeZone: 'UTC' } });
    await ring([{ ...MESSAGE, tag: 'awake' }]);
    await subscribe({ quiet: { from: 0, to: 1_439, timeZone: 'UTC' } });
    await ring([{ ...MESSAGE, tag: 'asleep' }]);
    expect((await queued()).map(({ tag }) => tag)).toEqual([MESSAGE.tag, 'awake']);
  });

  it('shows what waits only where that was chosen', async () => {
    const other = (await PushBrowser.open('two')).asked({ details: true });
    await subscribe();
    await ask('POST', '/v1/push/devices', { cookie, body: other });
    const asks = { requestId: requestId.parse('apr_1'), command: 'git push origin main' };
    await ring([{ ...MESSAGE, asks }]);
    const kept = await runInDurableObject(bell(), (_, { storage }) =>
      storage.sql
        .exec<{ message: string }>('SELECT message FROM queue ORDER BY rowid')
        .toArray()
        .map(({ message }) => JSON.parse(message)),
    );
    expect(kept).toEqual([MESSAGE, { ...MESSAGE, asks }]);
  });

  it('is told nothing once its sign-in has ended, and forgotten', async () => {
    await subscribe();
    const other = await signIn();
    const mine = (await PushBrowser.open('two')).asked();
    await ask('POST', '/v1/push/devices', { cookie: other, body: mine });
    await ring([MESSAGE]);
    await ask('POST', '/v1/sign-out', { cookie });
    await runInDurableObject(bell(), (_, { storage }) => {
      storage.sql.exec('DELETE FROM queue');
    });
    await ring([{ ...MESSAGE, tag: 'after' }]);
    expect((await queued()).map(({ tag }) => tag)).toEqual(['after']);
    const rows = await env.DB.prepare('SELECT name FROM push_devices').all();
    expect(rows.results).toHaveLength(1);
  });
});

describe('a session that needs a person', () => {
  it('rings for a new approval, and not for one that is answered already', async () => {
    const session = await launchOn(await startOnline());
    const cookie = await signIn();
    await ask('POST', '/v1/push/devices', { cookie, body: (await PushBrowser.open()).asked() });
    const asked = (id: string) => ({
      type: 'approval/requested' as const,
      request: anApproval({ requestId: requestId.parse(id) }),
    });
    // Noted apart: what waits may be gone again by the time that a test looks.
    await runInDurableObject(bell(), (_, { storage }) => {
      storage.sql.exec('CREATE TABLE rung (tag TEXT)');
      storage.sql.exec(
        'CREATE TRIGGER note AFTER INSERT ON queue BEGIN INSERT INTO rung VALUES (NEW.tag); END',
      );
    });
    const rung = () =>
      runInDurableObject(bell(), (_, { storage }) =>
        storage.sql.exec<{ tag: string }>('SELECT tag FROM rung').toArray(),
      );
    await session.peer.stored(session.sessionId, 1, [
      ...readyEvents(session.turnId),
      asked('apr_1'),
      { type: 'approval/resolved', requestId: requestId.parse('apr_1'), resolution: 'allowed' },
      asked('apr_2'),
    ]);
    await until(async () => (await rung()).length > 0, 'a message');
    const tags = (await rung()).map(({ tag }) => tag);
    expect(tags).toEqual([expect.stringMatching(`^${session.sessionId} approval \\d+$`)]);
  });
});
