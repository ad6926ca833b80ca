import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { runnerId } from '../../../protocol/ids.ts';
import { PROTOCOL_VERSION, REFUSALS } from '../../../protocol/version.ts';
import { registerRunner, type RegisteredRunner, startEmpty } from '../support/http.ts';
import { PeerRunner } from '../support/peers.ts';
import { openSocket, until } from '../support/socket.ts';
import { relayStub } from '../support/sessions.ts';

describe('a runner’s link', () => {
  let runner: RegisteredRunner;
  beforeEach(async () => {
    await startEmpty();
    runner = await registerRunner();
  });

  it('is refused without a token', async () => {
    expect((await openSocket(`/v1/runners/${runner.runnerId}/link`, {})).status).toBe(401);
  });

  it('is refused with the token of another runner', async () => {
    const other = await registerRunner();
    expect(
      (await openSocket(`/v1/runners/${runner.runnerId}/link`, { bearer: other.token })).status,
    ).toBe(403);
  });

  it('is refused when it names itself as another runner', async () => {
    const peer = await PeerRunner.connect(runner);
    peer.initialize({ ...runner, runnerId: runnerId.parse('run_other') });
    expect((await peer.next('refused')).reason).toBe('unauthorized');
    expect(await peer.closed()).toBe(REFUSALS.unauthorized.closeCode);
  });

  it.each([
    [PROTOCOL_VERSION - 1, 'runner_too_old'],
    [PROTOCOL_VERSION + 1, 'server_too_old'],
  ] as const)('is refused at version %i as %s', async (version, reason) => {
    const peer = await PeerRunner.connect(runner);
    peer.initialize(runner, [], version);
    expect((await peer.next('refused')).reason).toBe(reason);
    expect(await peer.closed()).toBe(REFUSALS[reason].closeCode);
  });

  it('is closed when its first frame is not initialize', async () => {
    const peer = await PeerRunner.connect(runner);
    peer.result('cmd_1' as never);
    expect(await peer.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });

  it('is closed by a frame that is not in the expected form', async () => {
    const peer = await PeerRunner.online(runner);
    peer.send('{"type":"events","events":[]}');
    expect(await peer.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });

  it('ignores a frame of a type that only a newer runner knows', async () => {
    const peer = await PeerRunner.online(runner);
    peer.send({ type: 'weather', degrees: 20 });
    peer.send('ping');
    await until(() => peer.pongs === 1, 'a pong');
    expect(peer.closeCode).toBeNull();
  });

  it('is replaced by a second one of the same runner, and told so', async () => {
    const first = await PeerRunner.online(runner);
    const second = await PeerRunner.online(runner);
    expect((await first.next('refused')).reason).toBe('replaced');
    expect(await first.closed()).toBe(REFUSALS.replaced.closeCode);
    expect(second.closeCode).toBeNull();
  });

  it('is ended as revoked when the runner is registered again, and its token is worthless', async () => {
    const peer = await PeerRunner.online(runner);
    const again = await registerRunner(runner.runnerId);
    expect(await peer.closed()).toBe(REFUSALS.revoked.closeCode);
    expect(
      (await openSocket(`/v1/runners/${runner.runnerId}/link`, { bearer: runner.token })).status,
    ).toBe(401);
    expect((await PeerRunner.online(again)).closeCode).toBeNull();
  });

  it('stays open and answers heartbeats while its relay sleeps', async () => {
    const peer = await PeerRunner.online(runner);
    await evictDurableObject(relayStub(runner));
    peer.send('ping');
    await until(() => peer.pongs === 1, 'a pong');
    expect(await relayStub(runner).readStatus()).toMatchObject({ presence: 'online' });
  });
});
