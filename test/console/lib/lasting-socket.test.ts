// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PING, PONG } from '../../../protocol/runner-frames.ts';
import {
  type Connection,
  CONNECT_TIMEOUT_MS,
  type LastingSocket,
  openLastingSocket,
  PING_EVERY_MS,
} from '../../../console/lib/lasting-socket.ts';
import { ScriptedSocket } from '../support/scripted-socket.ts';

const opened: ScriptedSocket[] = [];
const heard: unknown[] = [];
const connections: Connection[] = [];
let lasting: LastingSocket;

const last = () => opened.at(-1) as ScriptedSocket;
const pass = (ms: number) => void vi.advanceTimersByTime(ms);

function open(pingEveryMs?: number) {
  lasting = openLastingSocket(
    {
      open: () => {
        const socket = new ScriptedSocket();
        opened.push(socket);
        return socket as unknown as WebSocket;
      },
      now: Date.now,
      random: () => 0,
      ...(pingEveryMs !== undefined && { pingEveryMs }),
    },
    {
      opened: () => void heard.push('opened'),
      text: (text) => void heard.push(text),
      bytes: (bytes) => void heard.push(new Uint8Array(bytes)),
      connection: (connection) => void connections.push(connection),
    },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  opened.length = heard.length = connections.length = 0;
});
afterEach(() => {
  lasting.close();
  vi.useRealTimers();
});

describe('what is sent on a lasting socket', () => {
  it('is not sent, and said not to be, unless somebody is there to hear it', () => {
    open();
    expect(lasting.send('early')).toBe(false);
    last().accept();
    expect(lasting.send('now')).toBe(true);
    last().end();
    expect(lasting.send('late')).toBe(false);
    expect(opened.flatMap(({ sent }) => sent)).toEqual(['now']);
  });

  it('is heard in order, bytes as bytes, and never the answer to a ping', () => {
    open();
    last().accept();
    last().say('one');
    last().say(new Uint8Array([7, 8]).buffer);
    last().say(PONG);
    last().say('two');
    expect(heard).toEqual(['opened', 'one', new Uint8Array([7, 8]), 'two']);
  });
});

describe('the silence of a lasting socket', () => {
  it('is measured from the last word, whatever that was', () => {
    open();
    last().accept();
    pass(PING_EVERY_MS - 1);
    last().say(new ArrayBuffer(1));
    pass(PING_EVERY_MS - 1);
    expect(last().sent).toEqual([]);
    pass(1);
    expect(last().sent).toEqual([PING]);
  });

  it('is noticed as soon as somebody who types needs it to be', () => {
    open(1_000);
    last().accept();
    pass(1_000);
    expect(last().sent).toEqual([PING]);
    pass(1_000);
    expect(connections.at(-1)?.kind).toBe('offline');
  });

  it('is since the last word, not since it was noticed', () => {
    open();
    pass(500);
    last().accept();
    pass(1_500);
    last().say('there');
    pass(PING_EVERY_MS + CONNECT_TIMEOUT_MS);
    expect(connections.at(-1)).toEqual({ kind: 'offline', since: 2_000 });
  });
});

describe('the pause before a lasting socket comes back', () => {
  /** How long after its end each of some sockets in a row is followed by another, in ms. */
  const pauses = (times: number) =>
    Array.from({ length: times }, () => {
      const { length } = opened;
      const endedAt = Date.now();
      last().end();
      while (opened.length === length) pass(100);
      return Date.now() - endedAt;
    });

  it('grows while the server is away', () => {
    open();
    expect(pauses(4)).toEqual([400, 800, 1_600, 3_200]);
  });

  it('does not shrink because the server accepts, but once it speaks as it should', () => {
    open();
    pauses(2);
    last().accept();
    expect(pauses(1)).toEqual([1_600]);
    last().accept();
    lasting.settle();
    expect(connections.at(-1)).toEqual({ kind: 'live' });
    expect(pauses(1)).toEqual([400]);
  });

  it('is none for somebody who asks to try now, and short after that', () => {
    open();
    pauses(5);
    last().end();
    const { length } = opened;
    lasting.reconnect();
    expect(opened).toHaveLength(length + 1);
    pass(5_000);
    expect(opened).toHaveLength(length + 1);
    expect(pauses(1)).toEqual([400]);
  });

  it('is taken also after a connection that its own keeper gave up', () => {
    open();
    last().accept();
    lasting.lose();
    expect(last().readyState).toBe(3);
    expect(connections.at(-1)?.kind).toBe('offline');
    pass(400);
    expect(opened).toHaveLength(2);
  });
});

describe('a lasting socket that was closed by its page', () => {
  it('says nothing of it, whatever is asked afterwards', () => {
    open();
    last().accept();
    const before = connections.length;
    lasting.close();
    lasting.lose();
    lasting.end();
    lasting.reconnect();
    pass(60_000);
    expect(connections).toHaveLength(before);
    expect(opened).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
