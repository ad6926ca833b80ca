// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PING, PONG } from '../../../protocol/runner-frames.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { type FeedSocket, openFeedSocket } from '../../../console/feed/socket.ts';
import {
  CONNECT_TIMEOUT_MS,
  type Connection,
  PING_EVERY_MS,
} from '../../../console/lib/lasting-socket.ts';
import { ScriptedSocket } from '../support/scripted-socket.ts';

const presence = { type: 'presence', presence: 'online' };
const sockets: ScriptedSocket[] = [];
const seen: { frames: string[]; connections: Connection['kind'][] } = {
  frames: [],
  connections: [],
};
let cursor = 0;
let feed: FeedSocket;

const last = (): ScriptedSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error('nothing was opened');
  return socket;
};

beforeEach(() => {
  vi.useFakeTimers();
  sockets.length = seen.frames.length = seen.connections.length = cursor = 0;
  feed = openFeedSocket(
    {
      open: () => {
        const socket = new ScriptedSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      now: Date.now,
      random: () => 0,
    },
    {
      cursor: () => cursor,
      frame: (frame) => seen.frames.push(frame.type),
      connection: ({ kind }) => seen.connections.push(kind),
    },
  );
});

afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

describe('the socket of a session', () => {
  it('subscribes from the cursor, at each opening anew', () => {
    last().accept();
    expect(last().sent).toEqual(['{"type":"subscribe","after":0}']);
    cursor = 41;
    last().end();
    vi.advanceTimersByTime(500);
    last().accept();
    expect(sockets).toHaveLength(2);
    expect(last().sent).toEqual(['{"type":"subscribe","after":41}']);
  });

  it('gives a handshake that hangs a bounded time', () => {
    vi.advanceTimersByTime(CONNECT_TIMEOUT_MS);
    expect(seen.connections).toEqual(['connecting', 'offline']);
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
  });

  it('notices a connection that died without a word', () => {
    last().accept();
    vi.advanceTimersByTime(PING_EVERY_MS);
    expect(last().sent.at(-1)).toBe(PING);
    vi.advanceTimersByTime(CONNECT_TIMEOUT_MS);
    expect(seen.connections.at(-1)).toBe('offline');
  });

  it('stays with one that answers', () => {
    last().accept();
    for (let beat = 0; beat < 5; beat++) {
      vi.advanceTimersByTime(PING_EVERY_MS);
      last().say(PONG);
    }
    expect(sockets).toHaveLength(1);
    expect(seen.frames).toEqual([]);
  });

  it('skips a frame of a newer server and goes on', () => {
    last().accept();
    last().say({ type: 'fireworks' });
    last().say(presence);
    expect(seen.frames).toEqual(['presence']);
    expect(sockets).toHaveLength(1);
  });

  it('ends a connection that says something malformed, and resumes', () => {
    last().accept();
    last().say('{');
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
  });

  it('hears nothing more from a socket that was given up', () => {
    const first = last();
    first.accept();
    feed.reconnect();
    first.say(presence);
    first.end();
    vi.advanceTimersByTime(60_000);
    expect(seen.frames).toEqual([]);
    // The second hangs and is tried again; the first's end started nothing of its own.
    expect(sockets.filter((socket) => socket.readyState === 0).length).toBeLessThanOrEqual(1);
  });

  it.each(['unauthorized', 'revoked'] as const)(
    'stays closed once the server ended it as %s',
    (reason) => {
      last().accept();
      last().end(REFUSALS[reason].closeCode);
      vi.advanceTimersByTime(120_000);
      expect(sockets).toHaveLength(1);
      expect(seen.connections.at(-1)).toBe('ended');
    },
  );

  it('resumes after an end that connecting again can mend', () => {
    last().accept();
    last().end(REFUSALS.protocol_error.closeCode);
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
  });

  it('gives up when it is told that there is nothing to follow', () => {
    last().end();
    feed.end();
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
    expect(seen.connections.at(-1)).toBe('ended');
  });

  it('opens nothing more once it is closed', () => {
    last().accept();
    feed.close();
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
  });
});
