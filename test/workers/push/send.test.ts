import { beforeAll, describe, expect, it } from 'vitest';
import { env } from 'cloudflare:workers';
import { LOCAL_ACCOUNT, LOCAL_ACTOR, sessionId } from '../../../protocol/ids.ts';
import type { PushMessage } from '../../../protocol/push.ts';
import { readServerKeys, type ServerKeys } from '../../../workers/push/keys.ts';
import { sendMessage, standingOf } from '../../../workers/push/send.ts';
import { bytesOf, PushBrowser } from '../support/browsers.ts';
import { startEmpty } from '../support/http.ts';
import { database } from '../support/ledger.ts';

const MESSAGE: PushMessage = {
  kind: 'approval',
  sessionId: sessionId.parse('ses_1'),
  tag: 'ses_1 approval 3',
};
const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR };
let keys: ServerKeys;
let browser: PushBrowser;
beforeAll(async () => {
  await startEmpty();
  keys = await readServerKeys(env, database(), owner, 1);
  browser = await PushBrowser.open();
});

/** A push service that answers so, and what it was sent. */
function service(answer: () => Response | Promise<Response>) {
  const seen: { url: string; init: RequestInit }[] = [];
  const fetching: typeof fetch = async (url, init) => {
    seen.push({
      url: url instanceof Request ? url.url : url.toString(),
      init: init as RequestInit,
    });
    return answer();
  };
  return { seen, fetching };
}

describe('a message', () => {
  it('is read by the browser that it is for, and by no other', async () => {
    const { seen, fetching } = service(() => new Response(null, { status: 201 }));
    const sent = await sendMessage(browser.subscription, keys, MESSAGE, fetching);
    expect(sent).toEqual({ kind: 'sent' });
    const body = new Uint8Array(seen[0]?.init.body as Uint8Array);
    expect(seen[0]?.url).toBe(browser.endpoint);
    expect(await browser.read(body)).toEqual(MESSAGE);
    await expect((await PushBrowser.open()).read(body)).rejects.toThrow();
    expect(new TextDecoder('latin1').decode(body)).not.toContain('approval');
  });

  it('names its sender by the key that the browser subscribed with', async () => {
    const { seen, fetching } = service(() => new Response(null, { status: 201 }));
    await sendMessage(browser.subscription, keys, MESSAGE, fetching);
    const headers = new Headers(seen[0]?.init.headers);
    const [, token = '', key] =
      /^vapid t=(.+), k=(.+)$/.exec(headers.get('authorization') ?? '') ?? [];
    expect(key).toBe(keys.publicKey);
    const [head = '', claims = '', signature = ''] = token.split('.');
    expect(JSON.parse(new TextDecoder().decode(bytesOf(claims)))).toMatchObject({
      aud: 'https://fcm.googleapis.com',
    });
    const verifier = await crypto.subtle.importKey(
      'raw',
      bytesOf(keys.publicKey),
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['verify'],
    );
    const signed = new TextEncoder().encode(`${head}.${claims}`);
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    expect(await crypto.subtle.verify(algorithm, verifier, bytesOf(signature), signed)).toBe(true);
    expect(headers.get('urgency')).toBe('high');
    expect(seen[0]?.init.redirect).toBe('manual');
  });

  it('goes to no address but those of push services', async () => {
    const { seen, fetching } = service(() => new Response(null, { status: 201 }));
    const elsewhere = { ...browser.subscription, endpoint: 'https://10.0.0.1/' };
    expect(await sendMessage(elsewhere, keys, MESSAGE, fetching)).toMatchObject({
      kind: 'refused',
    });
    expect(seen).toEqual([]);
  });

  it('may be tried again where nobody answers', async () => {
    const { fetching } = service(() => Promise.reject(new Error('away')));
    expect(await sendMessage(browser.subscription, keys, MESSAGE, fetching)).toMatchObject({
      kind: 'later',
      fault: 'its push service did not answer',
    });
  });

  it.each([
    [201, 'sent'],
    [404, 'gone'],
    [410, 'gone'],
    [429, 'later'],
    [503, 'later'],
    [302, 'refused'],
    [403, 'refused'],
  ] as const)('that is answered with %i is %s', (status, kind) => {
    expect(standingOf(status).kind).toBe(kind);
  });
});

describe('the key of a server', () => {
  it('is made once, and opens under the secret of the server alone', async () => {
    const again = await Promise.all([1, 2].map((at) => readServerKeys(env, database(), owner, at)));
    expect(again).toEqual([keys, keys]);
    const row = await env.DB.prepare('SELECT * FROM push_keys').first();
    expect(JSON.stringify(row)).not.toContain(keys.privateKey);
    const other = { BRAIN_KEYS_SECRET: 'another secret, as long as the first one was' };
    await expect(readServerKeys(other, database(), owner, 3)).rejects.toThrow('BRAIN_KEYS_SECRET');
    await expect(readServerKeys({}, database(), owner, 3)).rejects.toThrow('BRAIN_KEYS_SECRET');
  });
});
