import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { OFFLINE_AFTER_MS } from '../../../protocol/machine.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { decideRunnerPresence } from '../../../workers/relay/presence.ts';
import { ask, codeOf } from '../support/http.ts';
import { PeerRunner, PeerViewer } from '../support/peers.ts';
import { type Launched, launchOn, relayStub, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

describe('presence, decided', () => {
  const facts = { connected: false, lastHeardAt: null, believedConnected: false, bootedAt: 1_000 };

  it('is online within the bound of the last word, and offline after it', () => {
    const linked = { ...facts, connected: true, lastHeardAt: 1_000 };
    expect(decideRunnerPresence(linked, 1_000 + OFFLINE_AFTER_MS)).toBe('online');
    expect(decideRunnerPresence(linked, 1_001 + OFFLINE_AFTER_MS)).toBe('offline');
  });

  it('is unknown after a restart of the cloud until the runner had time to come back', () => {
    const restarted = { ...facts, believedConnected: true };
    expect(decideRunnerPresence(restarted, 1_000 + OFFLINE_AFTER_MS)).toBe('unknown');
    expect(decideRunnerPresence(restarted, 1_001 + OFFLINE_AFTER_MS)).toBe('offline');
  });

  it('is offline when the link was seen to end', () => {
    expect(decideRunnerPresence(facts, 1_001)).toBe('offline');
  });
});

describe('presence of a runner', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const fallSilent = async () => {
    await evictDurableObject(relayStub(session.runner));
    await runInDurableObject(relayStub(session.runner), (_, state) => {
      for (const socket of state.getWebSockets()) {
        socket.serializeAttachment({
          state: 'initialized',
          heardAt: Date.now() - OFFLINE_AFTER_MS - 1,
        });
      }
    });
  };

  it('is offline when the link died without a word (D8)', async () => {
    await fallSilent();
    expect((await relayStub(session.runner).readStatus()).presence).toBe('offline');
  });

  it('is told to a viewer by the alarm when the link died without a word', async () => {
    const viewer = await PeerViewer.watching(session.sessionId, session.cli);
    await fallSilent();
    expect(await runDurableObjectAlarm(relayStub(session.runner))).toBe(true);
    expect((await viewer.next('presence')).presence).toBe('offline');
  });

  it('is told to a viewer when the runner leaves and when it comes back', async () => {
    const viewer = await PeerViewer.watching(session.sessionId, session.cli);
    session.peer.socket.close();
    expect((await viewer.next('presence')).presence).toBe('offline');
    await PeerRunner.online(session.runner);
    expect((await viewer.next('presence')).presence).toBe('online');
  });

  it('is looked after by nobody’s alarm once the last viewer has left', async () => {
    const viewer = await PeerViewer.watching(session.sessionId, session.cli);
    viewer.socket.close();
    const watchers = () =>
      runInDurableObject(
        relayStub(session.runner),
        (_, state) => state.storage.sql.exec('SELECT 1 FROM watchers').toArray().length,
      );
    await until(async () => (await watchers()) === 0, 'the relay to be unwatched');
    expect(await watchers()).toBe(0);
  });

  it('refuses a launch on a machine that is away', async () => {
    session.peer.socket.close();
    await until(
      async () => (await relayStub(session.runner).readStatus()).presence === 'offline',
      'offline',
    );
    const body = {
      runnerId: session.runner.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'x',
    };
    expect(codeOf(await ask('POST', '/v1/sessions', { bearer: session.cli, body }))).toBe(
      'runner_offline',
    );
  });

  it('does not count a connection that never introduces itself, and ends it', async () => {
    session.peer.socket.close();
    const silent = await PeerRunner.connect(session.runner);
    await until(
      async () => (await relayStub(session.runner).readStatus()).presence === 'offline',
      'offline',
    );
    await runInDurableObject(relayStub(session.runner), (_, state) => {
      for (const socket of state.getWebSockets())
        socket.serializeAttachment({ state: 'opened', heardAt: 0 });
    });
    await runDurableObjectAlarm(relayStub(session.runner));
    expect(await silent.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });
});
