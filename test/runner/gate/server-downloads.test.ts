import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GateSession } from '../../../runner/gate/gate-session.ts';
import { packetOf } from '../../../runner/gate/pkt-line.ts';
import { FORGET_AFTER_MS, GateServer } from '../../../runner/gate/server.ts';
import { aDirectory, SESSION } from '../guard/repositories.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('sends a session what it fetches, and clears all of it away at once, after a while', async () => {
  const root = aDirectory();
  const path = join(root, 'content');
  writeFileSync(path, 'a picture');
  const forgetObjects = vi.fn(() => Promise.reject(new Error('no room')));
  const quarantine = {
    use: (work: () => Promise<unknown>) => work(),
    prepare: () => Promise.resolve(),
    objects: { find: () => Promise.resolve(path) },
    forgetObjects,
  };
  const logged: string[] = [];
  const server = new GateServer(root, (_level, message) => void logged.push(message));
  server.open(SESSION, { quarantine } as unknown as GateSession);
  const { port, pathname } = new URL(await server.urlOf(SESSION));
  const oid = createHash('sha256').update('a picture').digest('hex');
  const fetched = async () => {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(packetOf(`git-lfs-object ${pathname}\0`));
    socket.write(packetOf(JSON.stringify({ oid, size: 9 })));
    const told = await text(socket);
    // The server settles what it sent after the last of it has arrived here.
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    return told;
  };
  for (let times = 0; times < 3; times += 1)
    expect(await fetched()).toBe(`${packetOf('ok')}a picture`);
  expect(forgetObjects).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(FORGET_AFTER_MS);
  expect(forgetObjects).toHaveBeenCalledTimes(1);
  await fetched();
  await vi.advanceTimersByTimeAsync(FORGET_AFTER_MS);
  expect(forgetObjects).toHaveBeenCalledTimes(2);
  expect(logged).toEqual(Array(2).fill('fetched files could not be cleared away'));
  await server.close();
});
