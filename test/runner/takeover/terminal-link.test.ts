import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { runnerId } from '../../../protocol/ids.ts';
import {
  encodeKeys,
  OUTPUT_FRAME_BYTES,
  OUTPUT_WINDOW_BYTES,
} from '../../../protocol/terminal-frames.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import type { TerminalViewer } from '../../../runner/shown-terminal.ts';
import { TerminalLink } from '../../../runner/takeover/terminal-link.ts';
import { until } from '../../support/until.ts';

const SIZE = { columns: 80, rows: 24 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** The cloud's end of one terminal: what it heard, and a socket to say something with. */
class Peer {
  readonly frames: unknown[] = [];
  readonly output: Buffer[] = [];
  readonly paths: (string | undefined)[] = [];
  readonly closes: number[] = [];
  /** The HTTP status that an upgrade is refused with; null lets it in. */
  refuse: number | null = null;
  #socket: WebSocket | null = null;
  readonly #server: Server = createServer();

  constructor() {
    const sockets = new WebSocketServer({ noServer: true });
    this.#server.on('upgrade', (request, socket, head) => {
      this.paths.push(request.url);
      // A machine that gives up meanwhile is no fault of this end.
      socket.on('error', () => socket.destroy());
      if (this.refuse !== null) {
        socket.end(`HTTP/1.1 ${this.refuse} No\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (connection) => {
        this.#socket = connection;
        connection.on('close', (code) => this.closes.push(code));
        connection.on('message', (data: Buffer, binary) => {
          if (binary) this.output.push(data);
          else this.frames.push(JSON.parse(data.toString()));
        });
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  get socket(): Promise<WebSocket> {
    return until('a connection', () => (this.#socket?.readyState === 1 ? this.#socket : null));
  }

  async say(...frames: (object | Uint8Array | string)[]): Promise<void> {
    const socket = await this.socket;
    for (const frame of frames) {
      const plain = typeof frame === 'string' || frame instanceof Uint8Array;
      socket.send(plain ? frame : JSON.stringify(frame));
    }
  }

  /** The first frame of a type. */
  heard(type: string): Promise<object> {
    return until(type, () =>
      (this.frames as { type: string }[]).find((each) => each.type === type),
    );
  }

  async close(): Promise<void> {
    this.#socket?.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A terminal whose program takes keys, or only so many of them. */
class Program {
  size = SIZE;
  viewer: TerminalViewer | null = null;
  keys = '';
  room = Infinity;
  readonly holds: boolean[] = [];
  show = (viewer: TerminalViewer | null): void => void (this.viewer = viewer);
  hold = (held: boolean): void => void this.holds.push(held);
  resize = (size: typeof SIZE): void => void (this.size = size);
  readScreen = (then: (screen: string, size: typeof SIZE) => void): void =>
    then('the screen', this.size);

  write(keys: Uint8Array): number {
    if (keys.byteLength > this.room) return keys.byteLength;
    this.keys += new TextDecoder().decode(keys);
    return 0;
  }
}

let peer: Peer;
let program: Program;
let link: TerminalLink;
let epoch: number;
let watched: boolean[];
let leases: (number | null)[];

beforeEach(async () => {
  peer = new Peer();
  await peer.listen();
  program = new Program();
  epoch = 2;
  watched = [];
  leases = [];
});
afterEach(async () => {
  link.close();
  await peer.close();
});

function open(): void {
  link = new TerminalLink({
    url: peer.url,
    runnerId: runnerId.parse('run_test1'),
    token: 'token',
    path: 'terminals/ses_test1',
    run: program,
    epoch: () => epoch,
    leased: (lease) => leases.push(lease),
    watched: (now) => watched.push(now),
    timings: { handshakeMs: 5_000, heartbeatMs: 60_000, pongMs: 1_000 },
    log: () => undefined,
    chance: () => 0,
  });
}

/** Until a frame that was sent before has been obeyed. */
async function obeyed(): Promise<void> {
  const screens = () => peer.frames.filter((each) => (each as { type: string }).type === 'screen');
  const before = screens().length;
  await peer.say({ type: 'show', viewer: 'probe' });
  await until('the screen', () => screens().length > before);
}

describe('output of a terminal that is shown', () => {
  it('is sent only while somebody watches, after the screen that it follows', async () => {
    open();
    await peer.socket;
    program.viewer?.output('nobody sees this');
    await peer.say({ type: 'show', viewer: 'one' });
    expect(await peer.heard('screen')).toEqual({
      type: 'screen',
      viewer: 'one',
      ...SIZE,
      data: 'the screen',
    });
    program.viewer?.output('seen');
    await until('output', () => peer.output.length > 0);
    await peer.say({ type: 'quiet' });
    await until('quiet', () => watched.at(-1) === false);
    program.viewer?.output('nor this');
    await obeyed();
    expect(Buffer.concat(peer.output).toString()).toBe('seen');
    expect(watched).toEqual([true, false, true]);
    expect(peer.paths).toEqual(['/v1/runners/run_test1/terminals/ses_test1']);
  });

  it('is cut into frames, and holds the program back until it is taken', async () => {
    open();
    await obeyed();
    program.viewer?.output('x'.repeat(OUTPUT_WINDOW_BYTES + 1));
    expect(program.holds).toEqual([true]);
    await until('all of it', () => Buffer.concat(peer.output).length > OUTPUT_WINDOW_BYTES);
    expect(Math.max(...peer.output.map((frame) => frame.length))).toBe(OUTPUT_FRAME_BYTES);
    await peer.say({ type: 'ack', bytes: OUTPUT_FRAME_BYTES });
    await until('room', () => program.holds.at(-1) === false);
  });

  it('that was never taken holds nobody back once the connection is another', async () => {
    open();
    await obeyed();
    program.viewer?.output('x'.repeat(OUTPUT_WINDOW_BYTES + 1));
    (await peer.socket).terminate();
    await until('the loss', () => program.holds.at(-1) === false);
    expect(watched.at(-1)).toBe(false);
    expect(leases).toEqual([null]);
    await until('another connection', () => peer.paths.length === 2);
  });
});

describe('keys of a driver', () => {
  it('are taken under the lease of now, and never under an older one', async () => {
    open();
    await peer.say(encodeKeys(1, bytes('old ')), encodeKeys(2, bytes('mine')));
    await until('the keys', () => program.keys !== '');
    expect(program.keys).toBe('mine');
  });

  it('that are ahead of their lease wait for it, with the size of its window', async () => {
    open();
    const size = { columns: 120, rows: 40 };
    await peer.say({ type: 'resize', epoch: 3, size }, encodeKeys(3, bytes('next')));
    await obeyed();
    expect([program.keys, program.size]).toEqual(['', SIZE]);
    epoch = 3;
    await peer.say({ type: 'lease', epoch: 3 });
    await until('the keys', () => program.keys !== '');
    expect([program.keys, program.size]).toEqual(['next', size]);
    expect(await peer.heard('size')).toEqual({ type: 'size', ...size });
    expect(leases).toEqual([3]);
  });

  it('that the program has no room for are told as dropped', async () => {
    program.room = 3;
    open();
    await peer.say(encodeKeys(2, bytes('four')));
    expect(await peer.heard('dropped')).toEqual({ type: 'dropped', bytes: 4 });
  });

  it('that are no frame of keys, and a size of an earlier driver, change nothing', async () => {
    open();
    const size = { columns: 20, rows: 5 };
    await peer.say(new Uint8Array([0, 0, 0, 2]), { type: 'resize', epoch: 1, size });
    await obeyed();
    expect([program.keys, program.size]).toEqual(['', SIZE]);
    link.leaseMoved();
    expect(program.size).toEqual(SIZE);
  });

  it('answer what programs ask of a terminal while a driver is there', async () => {
    open();
    expect(program.viewer?.answers()).toBe(false);
    await peer.say({ type: 'driver', present: true });
    await until('the driver', () => program.viewer?.answers());
    (await peer.socket).terminate();
    await until('the loss', () => program.viewer?.answers() === false);
  });
});

describe('the connection of a terminal', () => {
  it('is opened again after it broke, for whoever watches then', async () => {
    open();
    (await peer.socket).close(1011, 'a fault');
    await until('another connection', () => peer.paths.length === 2);
    await obeyed();
    expect(link.over).toBe(false);
  });

  it.each([403, 404])('is given up where the server answers %i', async (status) => {
    peer.refuse = status;
    open();
    await until('the end', () => link.over);
    expect(peer.paths).toHaveLength(1);
  });

  it('is tried again where the server is only out of order', async () => {
    peer.refuse = 503;
    open();
    await until('another try', () => peer.paths.length > 1);
    expect(link.over).toBe(false);
  });

  it('is closed over a frame that nobody can read, and one of a later version is passed over', async () => {
    open();
    await peer.say({ type: 'later', than: 'this' });
    await obeyed();
    await peer.say({ type: 'ack', bytes: -1 });
    await until('the end', () => peer.closes.length > 0);
    expect(peer.closes).toEqual([REFUSALS.protocol_error.closeCode]);
  });

  it('says why the terminal is shown no more, and stays closed', async () => {
    open();
    await obeyed();
    program.viewer?.resync();
    program.viewer?.ended('not_taken_over');
    expect(await peer.heard('ended')).toEqual({ type: 'ended', code: 'not_taken_over' });
    expect(peer.frames).toContainEqual({ type: 'resync' });
    await until('the end', () => peer.closes.length > 0);
    expect([link.over, program.viewer, peer.closes]).toEqual([true, null, [1000]]);
  });
});
