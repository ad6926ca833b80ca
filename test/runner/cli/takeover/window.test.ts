import type { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { INPUT_FRAME_BYTES } from '../../../../protocol/terminal-frames.ts';
import type { Streams } from '../../../../runner/cli/takeover/own-terminal.ts';
import {
  driveTerminal,
  LEAVE_KEY,
  type WindowEnd,
} from '../../../../runner/cli/takeover/window.ts';
import { until } from '../../../support/until.ts';

const SIZE = { columns: 80, rows: 24 };
const LEAVE = String.fromCodePoint(LEAVE_KEY);

/** The cloud's end of a window. */
class Peer {
  readonly frames: { type: string }[] = [];
  keys = '';
  readonly sizes: number[] = [];
  path: string | undefined;
  authorization: string | undefined;
  refuse = false;
  #socket: WebSocket | null = null;
  readonly #server: Server = createServer();

  constructor() {
    const sockets = new WebSocketServer({ noServer: true });
    this.#server.on('upgrade', (request, socket, head) => {
      this.path = request.url;
      this.authorization = request.headers.authorization;
      if (this.refuse) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      else sockets.handleUpgrade(request, socket, head, (connection) => this.#hear(connection));
    });
  }

  #hear(connection: WebSocket): void {
    this.#socket = connection;
    connection.on('message', (data: Buffer, binary) => {
      if (binary) {
        this.sizes.push(data.length);
        this.keys += data.toString();
      } else this.frames.push(JSON.parse(data.toString()));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  say(frame: object | string | Uint8Array): void {
    const plain = typeof frame === 'string' || frame instanceof Uint8Array;
    this.#socket?.send(plain ? frame : JSON.stringify(frame));
  }

  heard(type: string, times = 1): Promise<object[]> {
    return until(type, () => {
      const found = this.frames.filter((frame) => frame.type === type);
      return found.length >= times && found;
    });
  }

  drop(): void {
    this.#socket?.terminate();
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let peer: Peer;
let raw: boolean[];
let input: PassThrough;
let output: PassThrough & { columns: number; rows: number };
let end: Promise<WindowEnd>;
let shown: string;
let open: () => void;

beforeEach(async () => {
  peer = new Peer();
  raw = [];
  shown = '';
  input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => void raw.push(on) });
  output = Object.assign(new PassThrough(), SIZE);
  output.on('data', (data: Buffer) => (shown += data.toString()));
  const url = await peer.listen();
  open = () => {
    end = driveTerminal({ url, token: 'token', sessionId: 'ses_a/b', key: 'key-1' }, {
      input,
      output,
    } as unknown as Streams);
  };
});
afterEach(() => peer.close());

/** Opened, and attached with this window's size. */
async function attached(): Promise<void> {
  open();
  await peer.heard('attach');
}

describe('a window on an engine’s terminal', () => {
  it('attaches with its key and its size, and as nobody else', async () => {
    await attached();
    expect(peer.frames).toEqual([{ type: 'attach', key: 'key-1', size: SIZE }]);
    expect(peer.path).toBe('/v1/sessions/ses_a%2Fb/terminal');
    expect(peer.authorization).toBe('Bearer token');
    expect(raw).toEqual([true]);
    input.write(LEAVE);
    expect(await end).toEqual({ why: 'left' });
  });

  it('hands every key over, up to the one that leaves', async () => {
    await attached();
    input.write('ls\r\u0003');
    await until('the keys', () => peer.keys === 'ls\r\u0003');
    input.write(`more${LEAVE}never sent`);
    expect(await end).toEqual({ why: 'left' });
    await until('the last of them', () => peer.keys.includes('more'));
    expect(peer.keys).toBe('ls\r\u0003more');
    expect(raw).toEqual([true, false]);
  });

  it('cuts a paste into frames that are taken', async () => {
    await attached();
    const paste = 'x'.repeat(INPUT_FRAME_BYTES * 2 + 10);
    input.write(paste);
    await until('all of it', () => peer.keys.length === paste.length);
    expect(Math.max(...peer.sizes)).toBeLessThanOrEqual(INPUT_FRAME_BYTES);
    input.write(LEAVE);
    await end;
  });

  it('draws the screen anew, tells its size again, and says how much output it took', async () => {
    await attached();
    peer.say({ type: 'screen', ...SIZE, data: 'first screen' });
    await peer.heard('resize');
    peer.say(Buffer.from('output'));
    expect(await peer.heard('ack')).toEqual([{ type: 'ack', bytes: 6 }]);
    peer.say({ type: 'screen', ...SIZE, data: 'second screen' });
    await until('the screen', () => shown.includes('second screen'));
    expect(shown.indexOf('first screen')).toBeLessThan(shown.indexOf('output'));
    // The size of one window is told again only for the first screen.
    expect(await peer.heard('resize')).toHaveLength(1);
    output.columns = 100;
    output.emit('resize');
    expect((await peer.heard('resize', 2)).at(-1)).toMatchObject({ size: { columns: 100 } });
    input.write(LEAVE);
    await end;
    // Whatever the program had set is taken back.
    expect(shown.slice(shown.indexOf('second screen'))).toContain('\u001b[?1049l');
  });
});

describe('the end of a window', () => {
  it.each([
    ['a terminal that is gone', { type: 'machine', connected: false }, { why: 'closed' }],
    ['somebody else who drives', { type: 'demoted' }, { why: 'demoted' }],
  ])('is told for %s', async (_, frame, why) => {
    await attached();
    peer.say({ type: 'screen', ...SIZE, data: 'here' });
    await peer.heard('resize');
    peer.say(frame);
    expect(await end).toEqual(why);
    expect(raw).toEqual([true, false]);
  });

  it('is no machine that is only coming, and nothing that cannot be read', async () => {
    await attached();
    for (const frame of [{ type: 'machine', connected: false }, { type: 'later' }, 'no frame'])
      peer.say(frame);
    peer.say({ type: 'screen', ...SIZE, data: 'here' });
    await peer.heard('resize');
    input.write(LEAVE);
    expect(await end).toEqual({ why: 'left' });
  });

  it('says what the cloud said before it went', async () => {
    await attached();
    peer.say({ type: 'failed', code: 'taken_over', message: 'Somebody drives.' });
    peer.say(Buffer.from('x'));
    await peer.heard('ack');
    peer.drop();
    expect(await end).toEqual({ why: 'lost', reason: 'Somebody drives.' });
  });

  it('leaves a terminal alone that it never took', async () => {
    peer.refuse = true;
    open();
    expect(await end).toEqual({ why: 'lost', reason: expect.stringContaining('403') });
    expect([raw, shown]).toEqual([[], '']);
  });

  it('comes by a signal that somebody sends, and no handler is left', async () => {
    const before = process.listenerCount('SIGHUP');
    await attached();
    (process as EventEmitter).emit('SIGHUP', 'SIGHUP');
    expect(await end).toEqual({ why: 'signal', signal: 'SIGHUP' });
    expect(process.listenerCount('SIGHUP')).toBe(before);
    expect([input.listenerCount('data'), output.listenerCount('resize')]).toEqual([0, 0]);
  });
});
