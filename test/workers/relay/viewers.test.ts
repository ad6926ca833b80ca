import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TextDelta } from '../../../protocol/engine-event.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { PeerViewer } from '../support/peers.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';
import { openSocket, until } from '../support/socket.ts';

describe('watching a session', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const watch = (after = 0) => PeerViewer.watching(session.sessionId, session.cli, after);
  const delta = (offset: number, words: string): TextDelta => ({
    sessionId: session.sessionId,
    turnId: session.turnId,
    blockId: 'block-open',
    parentToolId: null,
    kind: 'answer',
    offset,
    text: words,
  });
  const stream = (...deltas: TextDelta[]) => session.peer.send({ type: 'deltas', deltas });
  /** What a viewer that follows the offsets shows of the open block. */
  const shown = (viewer: PeerViewer): string => {
    let held = '';
    for (const frame of viewer.frames) {
      if (frame.type !== 'deltas') continue;
      for (const part of frame.deltas) held = held.slice(0, part.offset) + part.text;
    }
    return held;
  };

  it('that ends by the viewer is answered, so that the viewer need not wait', async () => {
    const viewer = await watch();
    viewer.socket.close(1000, 'leaving');
    expect(await viewer.closed()).toBe(1000);
  });

  it('is refused without a credential, and for a session that is not there', async () => {
    expect((await openSocket(`/v1/sessions/${session.sessionId}/socket`, {})).status).toBe(401);
    expect(
      (await openSocket('/v1/sessions/ses_nowhere/socket', { bearer: session.cli })).status,
    ).toBe(404);
  });

  it('is refused to a page of another site', async () => {
    const headers = { origin: 'http://elsewhere.test' };
    expect(
      (
        await openSocket(`/v1/sessions/${session.sessionId}/socket`, {
          bearer: session.cli,
          headers,
        })
      ).status,
    ).toBe(403);
  });

  it('begins after the viewer’s cursor', async () => {
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    const viewer = await watch(5);
    await viewer.seen('turn/started');
    expect(viewer.entries().map(({ position }) => position)).toEqual([6, 7]);
  });

  it('begins anew when the cursor is of a record that is not this one', async () => {
    const viewer = await watch(1_000);
    await viewer.seen('turn/accepted');
    expect(viewer.entries().map(({ position }) => position)).toEqual([1, 2]);
  });

  it('gives a long record in pages, and what is stored meanwhile once and in order (D6)', async () => {
    for (let from = 1; from <= 6_000; from += 500) {
      session.peer.events(
        session.sessionId,
        from,
        Array.from({ length: 500 }, (_, index) => text(`line ${from + index}`)),
      );
    }
    await until(
      () => session.peer.ackedUpTo(session.sessionId) === 6_000,
      'the record to be stored',
    );
    const viewer = await PeerViewer.connect(session.sessionId, session.cli);
    viewer.send({ type: 'subscribe', after: 0 });
    session.peer.events(session.sessionId, 6_001, [turnEnded(session.turnId)]);
    await viewer.seen('turn/ended');
    expect(viewer.entries().map(({ position }) => position)).toEqual(
      Array.from({ length: 6_003 }, (_, index) => index + 1),
    );
    expect(viewer.frames.length).toBeGreaterThan(20);
  });

  it('shows text on its way, and joins what comes in a burst', async () => {
    const viewer = await watch();
    const words = Array.from({ length: 200 }, (_, index) => `w${index} `);
    let offset = 0;
    for (const word of words) {
      stream(delta(offset, word));
      offset += word.length;
    }
    await until(() => shown(viewer) === words.join(''), 'the whole text');
    expect(viewer.frames.filter((frame) => frame.type === 'deltas').length).toBeLessThan(
      words.length,
    );
  });

  it('gives a viewer who joins in the middle the open block so far', async () => {
    const early = await watch();
    stream(delta(0, 'Once upon '), delta(10, 'a time'));
    await until(() => shown(early) === 'Once upon a time', 'the text');
    const late = await watch();
    await until(() => shown(late) !== '', 'the open block');
    expect(shown(late)).toBe('Once upon a time');
  });

  it('gives no open block any more once the record has it whole', async () => {
    stream(delta(0, 'Once'));
    const whole = { text: 'Once', truncated: null };
    await session.peer.stored(session.sessionId, 1, [
      {
        type: 'text/completed',
        turnId: session.turnId,
        blockId: 'block-open',
        parentToolId: null,
        kind: 'answer',
        text: whole,
      },
    ]);
    const viewer = await watch();
    await viewer.seen('text/completed');
    await session.peer.stored(session.sessionId, 2, [turnEnded(session.turnId)]);
    await viewer.seen('turn/ended');
    expect(viewer.frames.filter((frame) => frame.type === 'deltas')).toEqual([]);
  });

  it('goes on while the feed sleeps', async () => {
    const viewer = await watch();
    await evictDurableObject(feedStub(session.sessionId));
    await session.peer.stored(session.sessionId, 1, [text('after'), turnEnded(session.turnId)]);
    await viewer.seen('turn/ended');
    expect(viewer.entries().map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  it('says whether the machine is there', async () => {
    const viewer = await PeerViewer.connect(session.sessionId, session.cli);
    viewer.send({ type: 'subscribe', after: 0 });
    expect((await viewer.next('snapshot')).presence).toBe('online');
  });

  it('ends when a frame is not in the expected form, with the reason', async () => {
    const viewer = await watch();
    viewer.send('{"type":"subscribe","after":-1}');
    expect((await viewer.next('failed')).code).toBe('bad_request');
    expect(await viewer.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });
});
