import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { relayFrame, type RelayFrame } from '../../../protocol/runner-frames.ts';
import { REFUSALS, refusalOfCloseCode, type RefusalReason } from '../../../protocol/version.ts';
import {
  readAttachment,
  runnerAttachment,
  viewerAttachment,
  writeAttachment,
} from '../../../workers/relay/attachment.ts';
import { refuseSocket, sendFrame } from '../../../workers/relay/refusal.ts';
import { startEmpty } from '../support/http.ts';
import { feedStub } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

beforeAll(startEmpty);

type Seen = { frames: string[]; closeCode: number | null };

/** Does something to the server's end of a socket inside an object; answers what the other end saw. */
async function onSocket(name: string, act: (server: WebSocket) => void): Promise<Seen> {
  const stub = feedStub(sessionId.parse(`ses_${name}`));
  return runInDurableObject(stub, async (_, state) => {
    const { 0: client, 1: server } = new WebSocketPair();
    state.acceptWebSocket(server);
    const seen: Seen = { frames: [], closeCode: null };
    client.accept();
    client.addEventListener('message', ({ data }) => {
      seen.frames.push(String(data));
    });
    client.addEventListener('close', ({ code }) => {
      seen.closeCode = code;
    });
    act(server);
    await until(() => seen.frames.length > 0 || seen.closeCode !== null, 'something on the socket');
    await scheduler.wait(20);
    return seen;
  });
}

describe('what survives on a socket while its object sleeps', () => {
  it('is read back as it was written', async () => {
    const held = { cursor: 7, caughtUp: true };
    let read: unknown = null;
    await onSocket('attached', (server) => {
      writeAttachment(server, held);
      read = readAttachment(server, viewerAttachment);
      server.send('done');
    });
    expect(read).toEqual(held);
  });

  it('is nothing when it is not ours, or of the other kind', async () => {
    const read: unknown[] = [];
    await onSocket('foreign', (server) => {
      read.push(readAttachment(server, runnerAttachment));
      for (const value of [null, 'text', 7, { cursor: -1, caughtUp: true }, { state: 'asleep' }]) {
        server.serializeAttachment(value);
        read.push(readAttachment(server, viewerAttachment));
      }
      writeAttachment(server, { state: 'opened', heardAt: 1 });
      read.push(readAttachment(server, viewerAttachment));
      server.send('done');
    });
    expect(read).toEqual([null, null, null, null, null, null, null]);
  });
});

describe.each(Object.keys(REFUSALS) as RefusalReason[])(
  'a link that is refused as %s',
  (reason) => {
    it('is told why and what to do, and closed with the code of the reason', async () => {
      const { frames, closeCode } = await onSocket(
        `refused${reason.replaceAll('_', '')}`,
        (server) => refuseSocket(server, reason),
      );
      const frame = relayFrame.parse(JSON.parse(frames[0] ?? ''));
      expect(frame).toMatchObject({ type: 'refused', reason });
      expect('message' in frame ? frame.message : '').toMatch(/^[A-Z].+\.$/);
      expect(closeCode).toBe(REFUSALS[reason].closeCode);
      expect(refusalOfCloseCode(closeCode ?? 0)).toBe(reason);
    });

    it('is told the detail after the sentence', async () => {
      const { frames } = await onSocket(`detail${reason.replaceAll('_', '')}`, (server) =>
        refuseSocket(server, reason, 'events.0.seq: too small'),
      );
      expect(JSON.parse(frames[0] ?? '')).toMatchObject({
        message: expect.stringMatching(/ \(events\.0\.seq: too small\)$/),
      });
    });

    it('is known as ended while it is still open: what comes on it counts for nothing', async () => {
      let attached: unknown = null;
      await onSocket(`ended${reason.replaceAll('_', '')}`, (server) => {
        refuseSocket(server, reason);
        attached = readAttachment(server, runnerAttachment);
      });
      expect(attached).toEqual({ state: 'ended', heardAt: 0 });
    });
  },
);

describe('sending a frame', () => {
  it('says that a socket which is gone took nothing, instead of throwing', async () => {
    const cursors = [{ sessionId: sessionId.parse('ses_1'), upTo: 1 }];
    const frame: RelayFrame = { type: 'ack', cursors };
    const sent: boolean[] = [];
    const { frames } = await onSocket('gone', (server) => {
      sent.push(sendFrame(server, frame));
      server.close(1000);
      sent.push(sendFrame(server, frame));
    });
    expect(sent).toEqual([true, false]);
    expect(frames.map((text) => relayFrame.parse(JSON.parse(text)))).toEqual([frame]);
  });
});
