import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkGate, readGateFacts } from '../../../runner/doctor/gate.ts';
import { GateServer } from '../../../runner/gate/server.ts';
import { aDirectory, SESSION } from '../guard/repositories.ts';

const look = async (runner: string) => checkGate(await readGateFacts(runner), '/d/runner.pid');

it('says nothing of a gate that no session had', async () => {
  expect(await look(aDirectory())).toBeNull();
});

it('knows the gate of the runner, and that it is closed without one', async () => {
  const runner = aDirectory();
  const gate = new GateServer(runner, () => undefined);
  await gate.urlOf(SESSION);
  expect(await look(runner)).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/through the gate/),
  });
  await gate.close();
  expect(await look(runner)).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/is closed/),
  });
});

it('tells of another program at its port, and what to do', async () => {
  const runner = aDirectory();
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  writeFileSync(join(runner, 'gate.port'), String(typeof address === 'object' ? address?.port : 0));
  expect(await look(runner)).toMatchObject({
    status: 'warning',
    remedy: expect.stringMatching(/Restart the runner/),
  });
  other.close();
});
