import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, sessionId } from '../../../protocol/ids.ts';
import { PUSH_KINDS, type PushMessage } from '../../../protocol/push.ts';
import { pushView } from '../../../protocol/push-view.ts';
import { madeWebhook } from '../../../protocol/webhook.ts';
import type { PushBell } from '../../../workers/push/bell.ts';
import { type Posted, WebhookStore } from '../../../workers/push/webhook.ts';
import { received, RECEIVED_URL } from '../../support/webhooks/receiver.ts';
import { type Answer, ask, codeOf, makeCliToken, signIn, startEmpty } from '../support/http.ts';

const MESSAGE: PushMessage = {
  kind: 'approval',
  sessionId: sessionId.parse('ses_1'),
  tag: 'ses_1 approval 3',
};
const bell = () => env.PUSH_BELL.getByName(LOCAL_ACCOUNT) as DurableObjectStub<PushBell>;
const ring = (messages: PushMessage[]) =>
  runInDurableObject(bell(), async (object, { storage }) => {
    await object.ring(messages);
    // Sent when the test says so, not when the clock does.
    if ((await storage.getAlarm()) !== null) await storage.setAlarm(Date.now() + 3_600_000);
  });
const queued = () =>
  runInDurableObject(bell(), (_, { storage }) =>
    storage.sql
      .exec<{ attempts: number }>('SELECT attempts FROM queue ORDER BY rowid')
      .toArray()
      .map(({ attempts }) => attempts),
  );
const taken = async () => received.parse(await (await env.OUTSIDE?.fetch(RECEIVED_URL))?.json());

describe('a webhook', () => {
  let cookie: string;
  beforeEach(async () => {
    await startEmpty();
    cookie = await signIn();
    await taken();
  });
  const post = (path: string, body?: unknown): Promise<Answer> =>
    ask('POST', `/v1/push/webhook${path}`, {
      cookie,
      body,
      headers: { origin: 'http://pilothouse.test' },
    });
  const set = async (status = 200, over = {}) => {
    const url = `https://receiver.example/services/secret/status/${status}`;
    const answer = await post('', { url, kinds: [...PUSH_KINDS], quiet: null, ...over });
    return madeWebhook.parse(answer.body);
  };
  const shown = async () => pushView.parse((await ask('GET', '/v1/push', { cookie })).body).webhook;

  it('from before there were Pilots is told of them too, until somebody chooses', async () => {
    await set();
    await runInDurableObject(bell(), (_, { storage }) => {
      const choices = JSON.stringify({ kinds: ['failed'], quiet: null });
      storage.sql.exec('UPDATE webhook SET choices = ?', choices);
    });
    expect(await shown()).toMatchObject({ added: ['pilot', 'operator', 'budget', 'digest'] });
    await post('/choices', { kinds: ['failed'], quiet: null });
    expect(await shown()).toMatchObject({ kinds: ['failed'], added: [] });
  });

  it('shows its secret once, and keeps it and its address where nobody reads them', async () => {
    const { webhook, secret } = await set();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhook).toMatchObject({ host: 'receiver.example', status: null, fault: null });
    const view = await shown();
    expect(view).toEqual(webhook);
    expect(JSON.stringify(view)).not.toContain('services');
    const kept = await runInDurableObject(bell(), (_, { storage }) =>
      JSON.stringify(storage.sql.exec('SELECT * FROM webhook').toArray()),
    );
    expect(kept).toContain('receiver.example');
    expect(kept).not.toContain('services');
    expect(kept).not.toContain(secret.slice(6));
  });

  it('takes a message in the form of Slack whose signature its receiver verifies', async () => {
    const { secret } = await set();
    await ring([MESSAGE]);
    await runDurableObjectAlarm(bell());
    const [message, ...more] = await taken();
    expect(more).toEqual([]);
    const { body = '', headers = {} } = message ?? {};
    const payload = new Webhook(secret).verify(body, headers);
    expect(payload).toEqual({
      text: 'A session needs you. It waits for your answer.',
      blocks: [
        {
          type: 'section',
          block_id: MESSAGE.tag,
          text: {
            type: 'mrkdwn',
            text: '*A session needs you*\nIt waits for your answer. <http://pilothouse.test/sessions/ses_1|Open it>',
          },
        },
      ],
    });
    expect(headers['webhook-id']).toBe(MESSAGE.tag);
    expect(() => new Webhook(secret).verify(body.replace('needs', 'wants'), headers)).toThrow();
    expect(await shown()).toMatchObject({ status: 200, fault: null, lastAt: expect.any(Number) });
  });

  it('is not told of the answer that the one before it gives', async () => {
    await set();
    const posted: Posted = { sent: { kind: 'sent' }, status: 200 };
    await runInDurableObject(bell(), async (_, { storage }) => {
      const store = new WebhookStore(storage.sql, LOCAL_ACCOUNT);
      await store.noting(
        async () => {
          await set(503);
          return posted;
        },
        () => 1,
      );
      expect(store.read()).toMatchObject({ status: null, fault: null, lastAt: null });
      await store.noting(
        async () => posted,
        () => 1,
      );
      expect(store.read()).toMatchObject({ status: 200, lastAt: 1 });
    });
  });

  it('is tried again where it may take a message later, and says what it answered', async () => {
    await set(503);
    await ring([MESSAGE]);
    await runDurableObjectAlarm(bell());
    expect(await queued()).toEqual([1]);
    expect(await shown()).toMatchObject({ status: 503, fault: 'it answered 503', lastAt: null });
  });

  it.each([302, 400, 404, 410])('is tried once where it answers %i, and stays', async (status) => {
    await set(status);
    await ring([MESSAGE]);
    await runDurableObjectAlarm(bell());
    expect(await queued()).toEqual([]);
    expect(await taken()).toHaveLength(1);
    expect(await shown()).toMatchObject({ status, fault: `it answered ${status}` });
  });

  it('is told what it wants to be told of, once, and nothing in its quiet hours', async () => {
    await set(200, { kinds: ['failed'] });
    await ring([MESSAGE]);
    expect(await queued()).toEqual([]);
    await post('/choices', { kinds: ['approval'], quiet: null });
    const second = { ...MESSAGE, tag: 'second' };
    await ring([second]);
    await runDurableObjectAlarm(bell());
    await ring([second]);
    expect(await queued()).toEqual([]);
    expect(await taken()).toHaveLength(1);
    await post('/choices', { kinds: ['approval'], quiet: { from: 0, to: 1_439, timeZone: 'UTC' } });
    await ring([{ ...MESSAGE, tag: 'third' }]);
    expect(await queued()).toEqual([]);
  });

  it('holds nobody up: messages go out beside each other', async () => {
    const url = 'https://receiver.example/together/6/status/200';
    await post('', { url, kinds: ['approval'], quiet: null });
    await ring(
      Array.from({ length: 12 }, (_, at) => ({ ...MESSAGE, tag: `ses_1 approval ${at}` })),
    );
    await runDurableObjectAlarm(bell());
    expect(await queued()).toEqual([]);
    expect(new Set((await taken()).map(({ headers }) => headers['webhook-id'])).size).toBe(12);
  });

  it('is tested on demand, by a command line too, and told nothing once it is taken off', async () => {
    await set(403);
    const bearer = await makeCliToken();
    const tested = await ask('POST', '/v1/push/webhook/test', { bearer });
    expect(tested.body).toMatchObject({ status: 403, fault: 'it answered 403' });
    expect((await taken()).map(({ body }) => body)).toEqual([
      expect.stringContaining('Pilothouse can reach you here.'),
    ]);
    await ring([MESSAGE]);
    expect((await post('/remove')).status).toBe(200);
    expect(await queued()).toEqual([]);
    expect(await shown()).toBeNull();
    for (const path of ['/remove', '/test'])
      expect(codeOf(await post(path))).toBe('webhook_not_found');
    expect(codeOf(await post('/choices', { kinds: [], quiet: null }))).toBe('webhook_not_found');
  });

  it('is refused at an address that is none of the public internet', async () => {
    const body = { url: 'https://192.168.1.1/', kinds: [], quiet: null };
    expect(codeOf(await post('', body))).toBe('bad_request');
  });
});
