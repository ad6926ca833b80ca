import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HookSocket } from '../../../runner/questions/hook-socket.ts';

test('a place where no socket can be keeps no runner from starting', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hook-socket-'));
  const failures: unknown[] = [];
  writeFileSync(join(directory, 'file'), '');
  const socket = new HookSocket(join(directory, 'file', 'q.sock'), {
    asked: () => Promise.resolve(false),
    taken: () => undefined,
    left: () => undefined,
    failed: (error) => void failures.push(error),
  });
  socket.listen();
  expect([socket.listens, failures.length]).toEqual([false, 1]);
  rmSync(directory, { recursive: true });
});
