import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HookSocket } from '../../../runner/questions/hook-socket.ts';

let directory: string;
const failures: unknown[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hook-socket-'));
  failures.length = 0;
});
afterEach(() => rmSync(directory, { recursive: true }));
const socketAt = (path: string) =>
  new HookSocket(path, {
    asked: () => Promise.reject(new Error('the limits cannot be read')),
    taken: () => undefined,
    left: () => undefined,
    failed: (error) => void failures.push(error),
  });

test('a place where no socket can be keeps no runner from starting', () => {
  writeFileSync(join(directory, 'file'), '');
  const socket = socketAt(join(directory, 'file', 'q.sock'));
  socket.listen();
  expect([socket.listens, failures.length]).toEqual([false, 1]);
});

test('a question that cannot be taken is left to the agent, and its hook is told so', async () => {
  const path = join(directory, 'q.sock');
  const socket = socketAt(path);
  socket.listen();
  const hook = connect(path);
  hook.setEncoding('utf8');
  hook.write(
    `${JSON.stringify({ token: 't', id: `ask.${'0'.repeat(32)}`, engine: 'claude', pid: 1, hook: '{}' })}\n`,
  );
  const told = await Promise.race([once(hook, 'data'), once(hook, 'close')]);
  expect(told).toEqual(['{"behavior":"none","message":""}\n']);
  expect(failures).toMatchObject([{ message: 'the limits cannot be read' }]);
  hook.destroy();
  socket.close();
});
