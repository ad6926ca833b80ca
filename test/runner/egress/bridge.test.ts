import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Inward } from '../../../runner/preview/inward.ts';
import { until } from '../../support/until.ts';

const sourceOf = (name: string) =>
  fileURLToPath(new URL(`../../../runner/egress/${name}`, import.meta.url));
const FORMS = [
  { name: 'perl', program: '/usr/bin/perl', from: sourceOf('bridge.pl'), as: 'bridge.pl' },
  { name: 'node', program: process.execPath, from: sourceOf('bridge.ts'), as: 'bridge.mjs' },
];

/** Says every word back, and ends where its caller did. */
const echo = () =>
  createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
const say = async (socket: Socket, words: Buffer): Promise<Buffer> => {
  socket.end(words);
  return buffer(socket);
};

describe.each(FORMS)('the bridge of a closed session in $name', ({ program, from, as }) => {
  const isHere = existsSync(program);
  let ports: string;
  let servers: Server[];
  let engine: ChildProcess;
  let bridge: ChildProcess;
  let port: number;

  /** Somebody on a port that the machine has free; a session's own loopback has all of them. */
  const freePort = async (): Promise<number> => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port: free } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return free;
  };
  const listenAt = async (server: Server, ...where: [string] | [number, string]) => {
    servers.push(server);
    await once(server.listen(...(where as [string])), 'listening');
  };
  const call = (at = port) => connect({ port: at, host: '127.0.0.1', allowHalfOpen: true });

  beforeEach(async () => {
    if (!isHere) return;
    servers = [];
    ports = mkdtempSync(join(tmpdir(), 'bridge-'));
    copyFileSync(from, join(ports, as));
    port = await freePort();
    await listenAt(echo(), join(ports, String(port)));
    engine = spawn('sleep', ['600']);
    bridge = spawn(program, [join(ports, as), String(engine.pid)], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      env: {},
    });
    const said = String(await buffer(bridge.stdio[3] as Readable));
    if (said !== 'open') throw new Error(`the bridge said "${said}"`);
  });
  afterEach(() => {
    if (!isHere) return;
    engine.kill();
    bridge.kill('SIGKILL');
    for (const server of servers) server.close();
    rmSync(ports, { recursive: true });
  });

  it.skipIf(!isHere)('leads all that is said both ways, and lets one side end first', async () => {
    const large = randomBytes(3_000_000);
    const heard = await Promise.all([say(call(), large), say(call(), Buffer.from('short'))]);
    expect(heard[0].equals(large)).toBe(true);
    expect(String(heard[1])).toBe('short');
  });

  it.skipIf(!isHere)('goes on after callers that broke, and finds ports that come', async () => {
    const broken = call();
    await once(broken, 'connect');
    broken.write(randomBytes(500_000));
    broken.resetAndDestroy();
    const later = await freePort();
    await listenAt(echo(), join(ports, String(later)));
    const tried = () => say(call(later), Buffer.from('later')).then(String, () => '');
    await until('the new port to be led', async () => (await tried()) === 'later');
    expect(String(await say(call(), Buffer.from('still')))).toBe('still');
  });

  it.skipIf(!isHere)(
    'has the runner call who listens in the session, and nobody else',
    async () => {
      const within = echo();
      await listenAt(within, 0, '127.0.0.1');
      const inward = await Inward.open(ports);
      try {
        const { port: own } = within.address() as AddressInfo;
        const words = await Promise.all(
          Array.from({ length: 6 }, async (_, index) => {
            const socket = await inward.dial(own, '127.0.0.1');
            return String(await say(socket, Buffer.from(`call ${index}`)));
          }),
        );
        expect(words).toEqual([0, 1, 2, 3, 4, 5].map((index) => `call ${index}`));
        await expect(inward.dial(await freePort(), '127.0.0.1')).rejects.toThrow('nothing in the');
        await expect(inward.dial(own, '::1')).rejects.toThrow('nothing in the session');
      } finally {
        inward.close();
      }
    },
  );

  it.skipIf(!isHere)('ends with its engine and by no signal before', async () => {
    bridge.kill('SIGTERM');
    bridge.kill('SIGHUP');
    expect(String(await say(call(), Buffer.from('a last word')))).toBe('a last word');
    const ended = once(bridge, 'exit');
    engine.kill();
    expect(await ended).toEqual([0, null]);
  });
});
