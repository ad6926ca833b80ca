import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimPort, listenFailure } from '../../../runner/host/port.ts';

async function aBusyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('claiming a port', () => {
  it('answers one that is free when any will do', async () => {
    const port = await claimPort(0, '127.0.0.1');
    expect(port).toBeGreaterThan(0);
    expect(await claimPort(port, '127.0.0.1')).toBe(port);
  });

  it('names a busy port and the option that helps', async () => {
    const port = await aBusyPort();
    await expect(claimPort(port, '127.0.0.1')).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is used by another program. Stop that program, or choose another port: npm start -- --port ${port + 1}`,
    );
  });

  it('says that an address is not of this machine', async () => {
    await expect(claimPort(0, '192.0.2.1')).rejects.toThrow(/has no address 192\.0\.2\.1/);
  });

  it('says that a low port needs other rights', () => {
    const error = Object.assign(new Error('listen'), { code: 'EACCES' });
    expect(listenFailure(80, '127.0.0.1', error).message).toMatch(/above 1023/);
  });
});
