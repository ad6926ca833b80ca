import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { entriesPage } from '../../../protocol/http.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { ask, registerRunner } from '../support/http.ts';
import { PeerRunner, PeerViewer, sequence } from '../support/peers.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

describe('delivery from a runner to the record', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const recorded = async (): Promise<(number | null)[]> => {
    const answer = await ask('GET', `/v1/sessions/${session.sessionId}/entries?limit=1000`, {
      bearer: session.cli,
    });
    return entriesPage.parse(answer.body).entries.map(({ seq }) => seq);
  };

  it('acknowledges a repeated event and stores it once', async () => {
    await session.peer.stored(session.sessionId, 1, [text('a'), text('b')]);
    session.peer.events(session.sessionId, 1, [text('a'), text('b'), text('c')]);
    await until(() => session.peer.ackedUpTo(session.sessionId) === 3, 'an ack of the new one');
    expect(await recorded()).toEqual([null, null, 1, 2, 3]);
  });

  it('ends a link that lost something on the way, and gets it again on the next one (D6)', async () => {
    await session.peer.stored(session.sessionId, 1, [text('a')]);
    session.peer.events(session.sessionId, 3, [text('c')]);
    expect(await session.peer.closed()).toBe(REFUSALS.protocol_error.closeCode);
    const peer = await PeerRunner.connect(session.runner);
    peer.initialize(session.runner, [{ sessionId: session.sessionId, lastSeq: 3 }]);
    expect((await peer.next('initialized')).cursors).toEqual([
      { sessionId: session.sessionId, upTo: 1 },
    ]);
    await peer.stored(session.sessionId, 2, [text('b'), text('c')]);
    expect(await recorded()).toEqual([null, null, 1, 2, 3]);
  });

  it('ends a link that sends a frame with a hole in it', async () => {
    const events = sequence(session.sessionId, 1, [text('a'), text('b'), text('c')]);
    session.peer.send({ type: 'events', events: events.toSpliced(1, 1) });
    expect(await session.peer.closed()).toBe(REFUSALS.protocol_error.closeCode);
    expect(await recorded()).toEqual([null, null]);
  });

  it('takes nothing for a session from a runner that does not have it', async () => {
    const thief = await PeerRunner.online(await registerRunner());
    thief.events(session.sessionId, 1, [text('forged')]);
    thief.send('{"type":"events","events":[]}');
    await thief.closed();
    expect(thief.ackedUpTo(session.sessionId)).toBe(0);
    expect(await recorded()).toEqual([null, null]);
  });

  it('acknowledges other sessions while one is unknown', async () => {
    const unknown = sessionId.parse('ses_unknown');
    session.peer.events(unknown, 1, [text('nowhere')]);
    await session.peer.stored(session.sessionId, 1, [text('a')]);
    expect(session.peer.ackedUpTo(unknown)).toBe(0);
  });

  it('says which session it will never store, and why, and keeps the link', async () => {
    const unknown = sessionId.parse('ses_unknown');
    session.peer.events(unknown, 1, [text('nowhere')]);
    const told = await session.peer.next('sessionRefused');
    expect(told).toMatchObject({ sessionId: unknown, code: 'session_not_found' });
    const other = await PeerRunner.online(await registerRunner());
    other.events(session.sessionId, 1, [text('forged')]);
    expect(await other.next('sessionRefused')).toMatchObject({ code: 'forbidden' });
    await session.peer.stored(session.sessionId, 1, [text('a')]);
  });

  it('sends no command again because of events that come back after a reconnect (D2)', async () => {
    session.peer.result(session.start.id);
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    const peer = await PeerRunner.online(session.runner, [
      { sessionId: session.sessionId, lastSeq: 5 },
    ]);
    await peer.stored(session.sessionId, 1, [...readyEvents(session.turnId), text('on')]);
    expect(peer.frames.filter((frame) => frame.type === 'command')).toEqual([]);
    expect((await readSession(session.cli, session.sessionId)).view.turns).toHaveLength(1);
  });

  it('shows no running turn to a console that was away when it ended (D4)', async () => {
    const viewer = await PeerViewer.watching(session.sessionId, session.cli);
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    await viewer.seen('turn/started');
    viewer.socket.close();
    await session.peer.stored(session.sessionId, 6, [turnEnded(session.turnId)]);
    const back = await PeerViewer.connect(session.sessionId, session.cli);
    back.send({ type: 'subscribe', after: 7 });
    const { view } = await back.next('snapshot');
    expect([view.state, view.openTurnId]).toEqual(['idle', null]);
    expect((await back.seen('turn/ended')).position).toBe(8);
  });

  it('goes on where it was after the feed was evicted', async () => {
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    await evictDurableObject(feedStub(session.sessionId));
    await session.peer.stored(session.sessionId, 6, [text('on'), turnEnded(session.turnId)]);
    expect(await recorded()).toEqual([null, null, 1, 2, 3, 4, 5, 6, 7]);
    expect((await readSession(session.cli, session.sessionId)).view.state).toBe('idle');
  });
});
