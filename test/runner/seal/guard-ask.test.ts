import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ASK = new URL('../../../runner/seal/guard-ask.ts', import.meta.url);

let directory: string;
let server: Server;
let answer: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-guard-ask-'));
  copyFileSync(ASK, join(directory, 'guard-ask.ts'));
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end((answer.length + 4).toString(16).padStart(4, '0') + answer),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(directory, 'address'), `git://127.0.0.1:${port}/s/token`);
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const asks = () =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const words = [join(directory, 'guard-ask.ts'), 'forge', 'gh', 'pr', 'merge', '4'];
    const child = execFile(process.execPath, words, (_error, _out, said) =>
      resolve({ code: child.exitCode ?? -1, said }),
    );
  });

describe('a guard that is answered', () => {
  it('yes lets it go', async () => {
    answer = '{"allow":true,"say":""}';
    expect(await asks()).toEqual({ code: 0, said: '' });
  });

  it('no says why not', async () => {
    answer = '{"allow":false,"say":"main is protected"}';
    expect(await asks()).toEqual({ code: 1, said: 'pilothouse: main is protected\n' });
  });

  it.each([
    '{"allow":"maybe","say":""}',
    '{"allow":1,"say":""}',
    '{"allow":true}',
    '{}',
    '{"allow',
  ])('nonsense refuses, and says that it is the answer: %s (A2)', async (nonsense) => {
    answer = nonsense;
    const { code, said } = await asks();
    expect(code).toBe(1);
    expect(said).toMatch(/^pilothouse: the answer of this machine’s runner cannot be read, .*\n$/);
  });
});
