import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { REFUSALS } from '../../../protocol/version.ts';
import { VIEWER_HEADER } from '../../../workers/lib/calls.ts';
import { ask, signIn } from '../support/http.ts';
import { PeerViewer } from '../support/peers.ts';
import { feedStub, type Launched, launchOn, startOnline } from '../support/sessions.ts';
import { openSocket, until } from '../support/socket.ts';

let house: Launched;

beforeEach(async () => {
  house = await launchOn(await startOnline());
});

const countListed = async (): Promise<number> =>
  (await env.DB.prepare('SELECT * FROM viewed_feeds').all()).results.length;

describe('a credential that is withdrawn', () => {
  it('closes its sockets on every feed at once, each told why', async () => {
    const other = await launchOn(house);
    const cookie = await signIn();
    const viewers = await Promise.all(
      [house.sessionId, house.sessionId, other.sessionId].map((id) =>
        PeerViewer.watching(id, { cookie }),
      ),
    );
    expect((await ask('POST', '/v1/sign-out', { cookie })).status).toBe(200);
    for (const viewer of viewers) {
      expect(await viewer.next('failed')).toMatchObject({ code: 'unauthenticated' });
      expect(await viewer.closed()).toBe(REFUSALS.unauthorized.closeCode);
    }
    await until(async () => (await countListed()) === 0, 'nothing to be listed');
  });

  it('leaves those of others open', async () => {
    const [leaving, staying] = [await signIn(), await signIn()];
    const left = await PeerViewer.watching(house.sessionId, { cookie: leaving });
    const stays = [
      await PeerViewer.watching(house.sessionId, { cookie: staying }),
      await PeerViewer.watching(house.sessionId, house.cli),
    ];
    await ask('POST', '/v1/sign-out', { cookie: leaving });
    await left.closed();
    await ask('POST', `/v1/sessions/${house.sessionId}/stop`, { bearer: house.cli, body: {} });
    for (const viewer of stays) await viewer.seen('action/requested');
    expect(stays.map(({ closeCode }) => closeCode)).toEqual([null, null]);
  });

  it('may be the token of a command line, which then works nowhere', async () => {
    const viewer = await PeerViewer.watching(house.sessionId, house.cli);
    expect((await ask('POST', '/v1/sign-out', { bearer: house.cli })).status).toBe(200);
    expect(await viewer.closed()).toBe(REFUSALS.unauthorized.closeCode);
    expect((await ask('GET', '/v1/me', { bearer: house.cli })).status).toBe(401);
  });

  it('leaves no socket open that was opening at that moment', async () => {
    const cookie = await signIn();
    const opening = Array.from({ length: 6 }, () =>
      openSocket(`/v1/sessions/${house.sessionId}/socket`, { cookie }),
    );
    const [, ...opened] = await Promise.all([ask('POST', '/v1/sign-out', { cookie }), ...opening]);
    for (const { status, socket } of opened) {
      if (!socket) expect(status).toBe(401);
      else expect(await new PeerViewer(socket, JSON.parse).closed()).toBe(4003);
    }
    await until(async () => (await countListed()) === 0, 'nothing to be listed');
  });
});

describe('a credential that expires', () => {
  it('closes its sockets when its time comes', async () => {
    const cookie = await signIn();
    await env.DB.prepare("UPDATE credentials SET expires_at = ? WHERE kind = 'session'")
      .bind(Date.now() + 300)
      .run();
    const lasting = await PeerViewer.watching(house.sessionId, house.cli);
    const viewer = await PeerViewer.watching(house.sessionId, { cookie });
    await scheduler.wait(310);
    // The test runs the alarm where the platform has not yet done so by itself.
    await runDurableObjectAlarm(feedStub(house.sessionId));
    expect(await viewer.closed()).toBe(REFUSALS.unauthorized.closeCode);
    expect(lasting.closeCode).toBeNull();
  });
});

describe('the list of what a credential watches', () => {
  it('forgets a feed when the last socket there is closed', async () => {
    const first = await PeerViewer.watching(house.sessionId, house.cli);
    const second = await PeerViewer.watching(house.sessionId, house.cli);
    first.socket.close(1000);
    await first.closed();
    expect(await countListed()).toBe(1);
    second.socket.close(1000);
    await until(async () => (await countListed()) === 0, 'nothing to be listed');
  });

  it('takes nobody’s word for who watches', async () => {
    const forged = { credential: 'of-another', actorId: 'usr_other', expiresAt: null };
    const { socket } = await openSocket(`/v1/sessions/${house.sessionId}/socket`, {
      bearer: house.cli,
      headers: { [VIEWER_HEADER]: JSON.stringify(forged) },
    });
    const viewer = new PeerViewer(socket as WebSocket, JSON.parse);
    await ask('POST', '/v1/sign-out', { bearer: house.cli });
    expect(await viewer.closed()).toBe(REFUSALS.unauthorized.closeCode);
  });
});
